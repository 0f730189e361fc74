import {
  connectWorkspaces,
  Problem,
  Unanswered,
  type Workspace,
  type WorkspaceRef,
  type Workspaces,
} from '@patchbay/client/workspaces'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { type Advise, adviceFor } from '../account/words.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { credentialFor, missedKeyWords } from '../registry/credential.ts'
import { serverFor } from '../registry/registry.ts'
import { type WorkspaceScope, workspaceProblemWords } from './problem-words.ts'

const REF = /^([a-z0-9]+(?:-[a-z0-9]+)*)\/(?!\.{1,2}$)([A-Za-z0-9._-]{1,100})$/

/** `ada/board`: whose it is, and the repository. */
export function parseWorkspace(text: string): WorkspaceRef {
  const [, owner, repo] = REF.exec(text) ?? []
  if (owner !== undefined && repo !== undefined) return { owner, repo }
  throw new Refusal(
    EXIT.usage,
    'bad_workspace',
    `A workspace is named by its owner and repository, such as ada/board, not "${stripHidden(text)}".`,
  )
}

function nameOf({ owner, repo }: WorkspaceRef): string {
  return `${owner}/${repo}`
}

import manifest from '../../package.json' with { type: 'json' }

export interface ServerWord {
  readonly server?: string
}

export interface Asked {
  readonly server: string
  readonly advise: Advise
  readonly workspaces: Workspaces
}

export interface AskedWorkspace extends Asked {
  readonly workspace: Workspace
  /** `ada/board`. */
  readonly name: string
}

/** Opens the workspaces of the server that a command speaks to, and turns what is refused into sentences. */
export async function withWorkspaces(
  task: Task,
  { server: named }: ServerWord,
  work: (asked: Asked) => Promise<Outcome>,
): Promise<Outcome> {
  const { surroundings, signal } = task
  const server = await serverFor(surroundings, named)
  const advise = adviceFor(named === undefined ? undefined : server)
  const { apiKey, sessionToken } = await credentialFor(surroundings, server, named)
  if (apiKey === undefined && sessionToken === undefined)
    throw new Refusal(
      EXIT.failed,
      'sign_in_required',
      `You are not signed in to ${server}.\nRun ${advise('login')}, ${missedKeyWords(surroundings, named)}`,
    )
  const workspaces = connectWorkspaces({
    baseUrl: server,
    userAgent: `patchbay-cli/${manifest.version} (${surroundings.platform})`,
    signal,
    ...(apiKey === undefined ? { sessionToken: sessionToken ?? '' } : { apiKey }),
  })
  // A server that was asked too often is waited for, which may take half a minute.
  using progress = task.progress(`Waiting for ${server}`)
  progress.update(0)
  try {
    return await work({ server, advise, workspaces })
  } catch (error) {
    throw error instanceof Unanswered && !signal.aborted ? unansweredWords(error, server) : error
  }
}

/** The same for one workspace. `scope`: what a key must be good for. */
export async function withWorkspace(
  task: Task,
  text: string,
  words: ServerWord,
  scope: WorkspaceScope,
  work: (asked: AskedWorkspace) => Promise<Outcome>,
): Promise<Outcome> {
  const at = parseWorkspace(text)
  return await withWorkspaces(task, words, async (asked) => {
    const name = nameOf(at)
    try {
      return await work({ ...asked, name, workspace: asked.workspaces.workspace(at) })
    } catch (error) {
      throw error instanceof Problem ? workspaceProblemWords(error, { ...asked, name, scope }) : error
    }
  })
}

function unansweredWords({ message, isLate }: Unanswered, server: string): Refusal {
  if (isLate)
    return new Refusal(EXIT.unavailable, 'timeout', `${server} did not answer in time.\nTry again later.`)
  return new Refusal(
    EXIT.unavailable,
    'unreachable',
    `${server} cannot be reached right now: ${message}.\nIs it running? Name another one with --server or PATCHBAY_SERVER_URL.`,
  )
}
