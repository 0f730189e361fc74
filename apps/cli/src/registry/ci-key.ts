import { Problem } from '@patchbay/contracts/core'
import { postCiKey } from '@patchbay/contracts/identity'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { networkRefusal } from '../command/network-words.ts'
import { Refusal } from '../command/refusal.ts'
import type { Task } from '../command/run-task.ts'
import { openRegistry, type Registry } from './registry.ts'

/** Where a job finds the token that its CI service has put there. GitHub's jobs ask for one instead. */
const ID_TOKEN_VARIABLE = 'PATCHBAY_ID_TOKEN'

const ANSWER_WITHIN_MS = 30_000

/** The registry, asked with the key that a trusted publisher gets for one package. */
export async function openAsTrustedPublisher(
  task: Task,
  named: string | undefined,
  what: { readonly owner: string; readonly identifier: string },
): Promise<Registry> {
  const nobody = await openRegistry(task, named, {})
  const token = await findToken(task, nobody.server)
  const { body } = await nobody.ask(postCiKey, { body: { token, ...what } }).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'ci_token_refused') throw error
    throw new Refusal(
      EXIT.failed,
      error.code,
      `${nobody.server} rejected the token of this job.\n${stripHidden(error.detail ?? '')}`,
    )
  })
  return await openRegistry(task, named, { apiKey: body.key })
}

async function findToken(task: Task, audience: string): Promise<string> {
  const { environment } = task.surroundings
  const given = environment[ID_TOKEN_VARIABLE] ?? ''
  if (given !== '') return given
  const address = environment['ACTIONS_ID_TOKEN_REQUEST_URL'] ?? ''
  const bearer = environment['ACTIONS_ID_TOKEN_REQUEST_TOKEN'] ?? ''
  if (address === '' || bearer === '' || !URL.canParse(address))
    throw new Refusal(
      EXIT.failed,
      'no_ci_token',
      `There is no token of a CI service here.\nOn GitHub give the job "permissions: id-token: write"; on GitLab set ${ID_TOKEN_VARIABLE} under id_tokens, with the audience ${audience}.`,
    )
  return await askGitHub(task, new URL(address), bearer, audience)
}

/** GitHub gives a job an address and a key to ask it with, and a token for whatever audience it names. */
async function askGitHub(task: Task, address: URL, bearer: string, audience: string): Promise<string> {
  address.searchParams.set('audience', audience)
  const unavailable = new Refusal(
    EXIT.unavailable,
    'ci_token_unavailable',
    'GitHub gave no token for this job.\nRun the job again.',
  )
  try {
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${bearer}`, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.any([task.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    })
    const answer: unknown = response.ok ? await response.json() : undefined
    const value: unknown = Object(answer)['value']
    if (typeof value === 'string') return value
  } catch (error) {
    if (task.signal.aborted) throw error
    throw networkRefusal(error, 'GitHub') ?? unavailable
  }
  throw unavailable
}
