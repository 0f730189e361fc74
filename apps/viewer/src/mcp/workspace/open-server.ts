import { checkBaseUrl } from '@patchbay/client'
import {
  CredentialsFault,
  credentialsFolder,
  findLastServer,
  openCredentials,
} from '@patchbay/client/credentials'
import { type Credential, connectWorkspaces } from '@patchbay/client/workspaces'
import { call } from '@patchbay/contracts/core'
import { getWhoami } from '@patchbay/contracts/identity'
import { DEFAULT_PORTS } from '@patchbay/contracts/limits'
import type { Environment } from '@patchbay/kernel/config'
import { ToolRefusal } from '../tool-refusal.ts'
import type { OpenedServer, OpenServer } from './opened-server.ts'

const SERVER_VARIABLE = 'PATCHBAY_SERVER_URL'
const KEY_VARIABLE = 'PATCHBAY_API_KEY'
const DEFAULT_SERVER = `http://localhost:${DEFAULT_PORTS.server}`
const KEY = /^[\x21-\x7e]{1,4096}$/
const WHOAMI_WITHIN_MS = 10_000

/** As the `patchbay` command does: the key of the environment for its own server, or what `patchbay login` has stored. */
export function withOwnCredentials(environment: Environment, version: string): OpenServer {
  return async (signal) => {
    const credentials = openCredentials(credentialsFolder(environment))
    const server = addressOf(environment[SERVER_VARIABLE] || (await findLastServer(credentials)))
    const key = environment[KEY_VARIABLE] ?? ''
    if (key !== '' && (environment[SERVER_VARIABLE] ?? '') !== '')
      return openServer(server, { apiKey: requireKey(key, KEY_VARIABLE) }, version, signal)
    const stored = await credentials.find(server).catch((error: unknown) => {
      throw error instanceof CredentialsFault
        ? new ToolRefusal(`${error.message}. The person has to look: "patchbay whoami" says more.`)
        : error
    })
    if (stored === undefined) throw notSignedIn(server, key !== '')
    return openServer(server, { sessionToken: stored.sessionToken }, version, signal)
  }
}

/**
 * Over HTTP whoever reaches the port may call, another user of the machine as well: they act with the key that they send, and
 * never with the login of the person who runs the viewer.
 */
export function withKeyOfRequest(
  request: Request | undefined,
  serverUrl: string | undefined,
  version: string,
): OpenServer {
  return async (signal) => {
    const server = addressOf(serverUrl)
    const key = request?.headers.get('x-api-key') ?? ''
    if (key === '')
      throw new ToolRefusal(
        `These tools need a key for ${server}, and this client sends none. The person makes one on their account page there, with the scope panels, and adds it to the configuration of this client as the header x-api-key. Over stdio ("patchbay mcp") the login of "patchbay login" is used instead.`,
      )
    return openServer(server, { apiKey: requireKey(key, 'The header x-api-key') }, version, signal)
  }
}

function openServer(server: string, who: Credential, version: string, signal: AbortSignal): OpenedServer {
  const userAgent = `patchbay-viewer/${version}`
  const credential: Record<string, string> =
    who.apiKey === undefined ? { authorization: `Bearer ${who.sessionToken}` } : { 'x-api-key': who.apiKey }
  const headers = { 'user-agent': userAgent, ...credential }
  return {
    server,
    workspaces: connectWorkspaces({ baseUrl: server, userAgent, signal, ...who }),
    async findHandle() {
      const ended = AbortSignal.any([signal, AbortSignal.timeout(WHOAMI_WITHIN_MS)])
      const answer = await call(getWhoami, {}, { baseUrl: server, headers, signal: ended, fetch: stayThere })
      return answer.body.person.handle
    },
  }
}

/** A redirect would carry the key or the session to an address that nobody checked. */
const stayThere: typeof fetch = (url, init) => fetch(url, { ...init, redirect: 'manual' })

function addressOf(configured: string | undefined): string {
  try {
    return checkBaseUrl(configured || DEFAULT_SERVER)
  } catch (error) {
    const wrong = error instanceof Error ? error.message.replace('baseUrl', SERVER_VARIABLE) : ''
    throw new ToolRefusal(`${wrong}. The person has to correct it where this server is configured.`)
  }
}

function requireKey(key: string, where: string): string {
  // The transport's own error for this would repeat the key.
  if (!KEY.test(key))
    throw new ToolRefusal(
      `${where} holds characters that no API key has. The person has to copy the key again.`,
    )
  return key
}

function notSignedIn(server: string, hasKey: boolean): ToolRefusal {
  const ways = hasKey
    ? `${KEY_VARIABLE} is set, but not whose key it is, and so it was sent to nobody: set ${SERVER_VARIABLE} as well.`
    : `or set ${SERVER_VARIABLE} and ${KEY_VARIABLE} where this server is configured.`
  return new ToolRefusal(
    `Nobody is signed in to ${server}, so its workspaces cannot be reached. Ask the person to run "patchbay login" in a terminal, ${hasKey ? 'or to correct the configuration of this server. ' : ''}${ways} Then call this tool again; nothing needs to be restarted after "patchbay login".`,
  )
}
