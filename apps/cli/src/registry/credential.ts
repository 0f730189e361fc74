import { credentialsFolder, openCredentials } from '@patchbay/client/credentials'
import { checkServer } from '../account/account.ts'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { CliSurroundings } from '../terminal/surroundings.ts'

/** Who asks. Empty: nobody is known. */
export interface Credential {
  readonly apiKey?: string
  readonly sessionToken?: string
}

export const API_KEY_VARIABLE = 'PATCHBAY_API_KEY'

const KEY = /^[\x21-\x7e]{1,4096}$/

/** The one server that PATCHBAY_API_KEY is for. `undefined`: there is no key, or nobody says whose it is. */
export function keyServerOf({ environment }: CliSurroundings, named: string | undefined): string | undefined {
  if ((environment[API_KEY_VARIABLE] ?? '') === '') return undefined
  const server = environment['PATCHBAY_SERVER_URL'] || named
  return server === undefined ? undefined : checkServer(server)
}

/** A key where it is for this server; else the session of a login, which is kept for its server alone. */
export async function credentialFor(
  surroundings: CliSurroundings,
  server: string,
  named: string | undefined,
): Promise<Credential> {
  if (keyServerOf(surroundings, named) === server) return { apiKey: readKey(surroundings, API_KEY_VARIABLE) }
  return await sessionFor(surroundings, server)
}

export async function sessionFor({ environment }: CliSurroundings, server: string): Promise<Credential> {
  const stored = await openCredentials(credentialsFolder(environment)).find(server)
  return stored === undefined ? {} : { sessionToken: stored.sessionToken }
}

/** Empty when the variable is not set. */
function readKey({ environment }: CliSurroundings, variable: string): string {
  const key = environment[variable] ?? ''
  // The transport's own error for this would repeat the key.
  if (key !== '' && !KEY.test(key))
    throw new Refusal(
      EXIT.failed,
      'key_malformed',
      `${variable} holds characters that no API key has.\nCopy the key again, without spaces and line breaks.`,
    )
  return key
}

/** The key that a source named. */
export function requireKey(surroundings: CliSurroundings, variable: string, name: string): string {
  const key = readKey(surroundings, variable)
  if (key !== '') return key
  throw new Refusal(
    EXIT.failed,
    'key_missing',
    `${name} needs the API key in ${variable}, which is not set.\nSet it, or leave out --api-key-variable.`,
  )
}

export function headersOf({ apiKey, sessionToken }: Credential): Readonly<Record<string, string>> {
  if (apiKey !== undefined) return { 'x-api-key': apiKey }
  return sessionToken === undefined ? {} : { authorization: `Bearer ${sessionToken}` }
}

/** For somebody who set the key, and wonders why nobody knows them. */
export function missedKeyWords(surroundings: CliSurroundings, named: string | undefined): string {
  if ((surroundings.environment[API_KEY_VARIABLE] ?? '') === '')
    return `or set ${API_KEY_VARIABLE} to a key that may do this.`
  const owner = keyServerOf(surroundings, named)
  return owner === undefined
    ? `or name the server that ${API_KEY_VARIABLE} is for with --server or PATCHBAY_SERVER_URL: the key is sent to no other.`
    : `or change PATCHBAY_SERVER_URL: ${API_KEY_VARIABLE} is for ${owner} and is sent to no other server.`
}
