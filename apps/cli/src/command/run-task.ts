import { Ending, EXIT } from '../account/ending.ts'
import { failureText, type Paint } from '../terminal/paint.ts'
import { type Progress, type ProgressOptions, startProgress } from '../terminal/progress.ts'
import type { CliSurroundings } from '../terminal/surroundings.ts'
import { Refusal } from './refusal.ts'

/** What a command has to say when it is done: to a person, or to a program. */
export interface Outcome {
  readonly text: string
  /** `undefined`: it was printed already. */
  readonly json: unknown
  readonly exitCode?: number
}

/** A command at work. */
export interface Task {
  readonly surroundings: CliSurroundings
  /** Aborted when the person has had enough. */
  readonly signal: AbortSignal
  readonly isJson: boolean
  /** Color for the text of the outcome. */
  readonly paint: Paint
  /** A sentence on the way, beside the result. */
  notify(text: string): void
  progress(title: string, options?: ProgressOptions): Progress
}

export interface TaskOptions {
  readonly isJson: boolean
  /** What is true when Ctrl-C came in between. */
  readonly whenStopped?: string
}

const NOTHING_CHANGED = 'Nothing was changed.'

/** Does the work and ends with its result, or with a sentence. With JSON, standard output holds one document alone. */
export async function runTask(
  surroundings: CliSurroundings,
  { isJson, whenStopped = NOTHING_CHANGED }: TaskOptions,
  work: (task: Task) => Promise<Outcome>,
): Promise<void> {
  const { host, print, printError } = surroundings
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'])
    host.on(signal, () => {
      // Asked twice, it does not wait for what is still being tidied up.
      if (controller.signal.aborted) host.exit(EXIT.interrupted)
      controller.abort()
    })
  const task: Task = {
    surroundings,
    signal: controller.signal,
    isJson,
    paint: surroundings.paint.out,
    notify: printError,
    progress: progressStack(surroundings),
  }
  const exitCode = await work(task).then(
    ({ text, json, exitCode: code = 0 }) => {
      if (isJson && json !== undefined) print(JSON.stringify(json, null, 2))
      else if (!isJson && text !== '') print(text)
      return code
    },
    async (error: unknown) => {
      const refusal = controller.signal.aborted
        ? new Refusal(EXIT.interrupted, 'stopped', `Stopped. ${whenStopped}`)
        : await refusalOf(error)
      if (isJson) print(JSON.stringify({ error: describe(refusal) }, null, 2))
      printError(failureText(surroundings.paint.error, refusal.message))
      return refusal.exitCode
    },
  )
  if (exitCode !== 0) host.exit(exitCode)
}

/** The one that began last is shown; when it ends, the one before it is again. */
function progressStack(surroundings: CliSurroundings): Task['progress'] {
  const begun: symbol[] = []
  return (title, options) => {
    const own = Symbol(title)
    begun.push(own)
    const isShown = () => begun.at(-1) === own
    const progress = startProgress(title, surroundings, { ...options, isShown })
    return {
      update: (...report) => progress.update(...report),
      [Symbol.dispose]() {
        if (begun.includes(own)) begun.splice(begun.indexOf(own), 1)
        progress[Symbol.dispose]()
      },
    }
  }
}

/** Loaded when it is needed: it knows the failures of every library. */
async function refusalOf(error: unknown): Promise<Ending> {
  return error instanceof Ending ? error : (await import('./failure-words.ts')).refusalOf(error)
}

function describe(ending: Ending): object {
  const { message } = ending
  return ending instanceof Refusal
    ? { code: ending.code, message, ...ending.details }
    : { code: 'failed', message }
}
