import { type CallInput, type CallResult, call, type EndpointSpec } from '@patchbay/contracts/core'
import { getWhoami } from '@patchbay/contracts/identity'
import { getPackagePage } from '@patchbay/contracts/registry'
import manifest from '../../package.json' with { type: 'json' }
import { checkServer } from '../account/account.ts'
import { serverNameFor } from '../account/default-server.ts'
import { EXIT } from '../account/ending.ts'
import { type Advise, adviceFor } from '../account/words.ts'
import { networkRefusal } from '../command/network-words.ts'
import { Refusal } from '../command/refusal.ts'
import type { Task } from '../command/run-task.ts'
import type { CliSurroundings } from '../terminal/surroundings.ts'
import { type Credential, credentialFor, headersOf, missedKeyWords } from './credential.ts'

/** The registry of one installation, asked as one person or key. */
export interface Registry {
  readonly server: string
  readonly advise: Advise
  ask<Spec extends EndpointSpec>(
    endpoint: Spec,
    input: CallInput<Spec>,
    options?: { readonly deadlineMs?: number },
  ): Promise<CallResult<Spec>>
  /** Who asks. */
  findHandle(): Promise<string>
  /** Whose package it is. */
  findOwner(identifier: string): Promise<string>
}

const ANSWER_WITHIN_MS = 30_000

/** The server that a command speaks to. */
export async function serverFor(surroundings: CliSurroundings, named: string | undefined): Promise<string> {
  return checkServer(await serverNameFor(surroundings.environment, named))
}

/** `asked`: as whom, where that is not decided by the environment. */
export async function openRegistry(
  task: Task,
  named: string | undefined,
  asked?: Credential,
): Promise<Registry> {
  const { surroundings, signal } = task
  const server = await serverFor(surroundings, named)
  const advise = adviceFor(named === undefined ? undefined : server)
  const credential = headersOf(asked ?? (await credentialFor(surroundings, server, named)))
  if (asked === undefined && Object.keys(credential).length === 0)
    throw new Refusal(
      EXIT.failed,
      'sign_in_required',
      `You are not signed in to ${server}.\nRun ${advise('login')}, ${missedKeyWords(surroundings, named)}`,
    )
  const headers = {
    'user-agent': `patchbay-cli/${manifest.version} (${surroundings.platform})`,
    ...credential,
  }
  const ask: Registry['ask'] = (endpoint, input, { deadlineMs = ANSWER_WITHIN_MS } = {}) =>
    call(endpoint, input, {
      baseUrl: server,
      headers,
      signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
      fetch: stayThere,
    }).catch((error: unknown) => {
      // Of several servers it would not be clear which one is away. Whoever pressed Ctrl-C knows.
      throw (signal.aborted ? undefined : networkRefusal(error, server)) ?? error
    })
  return {
    server,
    advise,
    ask,
    findHandle: async () => (await ask(getWhoami, {})).body.person.handle,
    findOwner: async (identifier) => (await ask(getPackagePage, { params: { identifier } })).body.owner,
  }
}

/** A redirect would carry the key or the session to an address that nobody checked. */
const stayThere: typeof fetch = (url, init) => fetch(url, { ...init, redirect: 'manual' })
