import { readFile } from 'node:fs/promises'
import { type EvalOutcome, Problem } from '@patchbay/client/workspaces'
import { SANDBOX_LIMITS } from '@patchbay/contracts/limits'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { type Advise, timeInWords } from '../account/words.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { plainLines } from '../command/sentence.ts'
import type { ControlWords } from './control.ts'
import { type ServerWord, withWorkspace } from './open-workspaces.ts'
import { pickTab } from './pick-tab.ts'
import { requireReachable } from './reachable.ts'

export interface EvalWords extends ControlWords {
  readonly file?: string
  /** Seconds. */
  readonly timeout?: number
  readonly wait?: number
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** `patchbay panel eval`. */
export async function evaluate(
  task: Task,
  text: string,
  tab: string,
  code: string | undefined,
  words: EvalWords,
): Promise<Outcome> {
  const source = await codeOf(task, code, words.file)
  return await withWorkspace(task, text, words, 'sandbox', async (asked) => {
    const { workspace, name, advise } = asked
    const current = await workspace.current()
    const sandbox = workspace.sandbox(requireReachable(current, pickTab(current, tab), ['sandbox'], asked))
    const { wait = 0, timeout, reason } = words
    using progress = task.progress('Waiting for the outcome')
    progress.update(0)
    const outcome = await sandbox.evalAndWait(source, {
      reason,
      timeoutMs: timeout === undefined ? undefined : timeout * 1000,
      waitMs: wait * 1000,
    })
    return tell(task, outcome, name, advise)
  })
}

/** `patchbay panel result`. */
export async function fetchResult(
  task: Task,
  text: string,
  id: string,
  words: ServerWord & { readonly wait?: number },
): Promise<Outcome> {
  if (!UUID.test(id))
    throw new Refusal(EXIT.usage, 'bad_id', `"${stripHidden(id)}" is no id that "panel eval" said.`)
  return await withWorkspace(task, text, words, 'sandbox', async ({ workspace, name, advise }) => {
    using progress = task.progress('Waiting for the outcome')
    progress.update(0)
    const waitMs = (words.wait ?? 0) * 1000
    const outcome = await workspace.evaluation(id, { waitMs }).catch((error: unknown) => {
      throw error instanceof Problem && error.code === 'not_found' ? unknownOutcome(name) : error
    })
    return tell(task, outcome, name, advise)
  })
}

function unknownOutcome(name: string): Refusal {
  return new Refusal(
    EXIT.failed,
    'not_found',
    `${name} has no such run: results are kept for ten minutes.\nRun it again if it may run twice.`,
  )
}

async function codeOf(task: Task, code: string | undefined, file: string | undefined): Promise<string> {
  if ((code === undefined) === (file === undefined))
    throw new Refusal(
      EXIT.usage,
      'bad_option',
      'Say what to run, in one way: the code itself, --file with its name, or - for standard input.',
    )
  if (file !== undefined) return await readFile(file, 'utf8')
  return code === '-' ? await readInput(task) : (code ?? '')
}

async function readInput({ surroundings: { input }, signal }: Task): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of input.stream) {
    signal.throwIfAborted()
    const bytes = Buffer.from(chunk)
    size += bytes.byteLength
    if (size > SANDBOX_LIMITS.codeLength * 4)
      throw new Refusal(
        EXIT.failed,
        'code_too_long',
        `A sandbox takes ${SANDBOX_LIMITS.codeLength} characters of code at the most.`,
      )
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The result alone on standard output, so that it can be piped; the rest beside it. */
function tell(task: Task, outcome: EvalOutcome, name: string, advise: Advise): Outcome {
  const json = outcome
  if (!task.isJson)
    for (const { level, text } of outcome.console ?? [])
      task.notify(plainLines(level === 'log' ? text : `${level}: ${text}`))
  if (outcome.status === 'executed') {
    if (outcome.isTruncated === true && !task.isJson) task.notify('The result was too long, and is cut off.')
    return { json, text: resultText(outcome) }
  }
  if (outcome.status === 'error') {
    if (!task.isJson) task.notify(plainLines(outcome.error ?? 'The code failed.'))
    return { json, text: '', exitCode: EXIT.failed }
  }
  const ask = advise(`panel result ${name} ${outcome.id} --wait 60`)
  const said = `No browser can run the code yet; it waits until ${timeInWords(outcome.expiresAt)}.\nOpen the workspace, and ask for its outcome with ${ask}.`
  if (!task.isJson) task.notify(said)
  return { json, text: '', exitCode: EXIT.notYet }
}

function resultText({ result }: EvalOutcome): string {
  if (result === undefined) return ''
  return plainLines(typeof result === 'string' ? result : JSON.stringify(result, null, 2))
}
