import type { Asked, FromWorker, HelpFile, HelpQuestions, QuestionName, ToWorker } from './messages.ts'

export interface HelpLineOptions {
  readonly makeWorker: () => Worker
  /** The first of these files that is there. */
  readonly readFile: (paths: readonly string[]) => Promise<HelpFile | undefined>
  /** How long a worker may say nothing while it is asked something; at first it also loads its code. */
  readonly deadlineMs: number
  readonly firstDeadlineMs: number
  readonly onGivenUp: () => void
}

/** Asks a worker about texts. `undefined`: no answer, and nothing suffers from that. */
export interface HelpLine {
  ask<Name extends QuestionName>(
    name: Name,
    about: Pick<Asked, 'path' | 'text'>,
    question: HelpQuestions[Name]['ask'],
  ): Promise<HelpQuestions[Name]['answer'] | undefined>
  /** Files of the workspace have changed. */
  forget(): void
  stop(): void
}

/** A worker that hangs is ended and started again, so often. */
const MOST_STARTS = 3

export function createHelpLine(options: HelpLineOptions): HelpLine {
  let worker: Worker | undefined
  let starts = 0
  let lastId = 0
  let hasAnswered = false
  const pending = new Map<number, (answer: unknown) => void>()
  /** Files that it waits for. */
  let wanted = 0
  let silence: ReturnType<typeof setTimeout> | undefined

  /** From now on, while there is something to answer. Time that it waits for the page does not count. */
  function watch(): void {
    clearTimeout(silence)
    silence = undefined
    if (pending.size === 0 || wanted > 0) return
    silence = setTimeout(fail, hasAnswered ? options.deadlineMs : options.firstDeadlineMs)
  }

  function end(): void {
    worker?.terminate()
    worker = undefined
    wanted = 0
    for (const settle of pending.values()) settle(undefined)
    pending.clear()
    watch()
  }

  function fail(): void {
    end()
    if (starts === MOST_STARTS) options.onGivenUp()
  }

  function start(): Worker | undefined {
    if (worker !== undefined || starts === MOST_STARTS) return worker
    starts += 1
    hasAnswered = false
    try {
      const made = options.makeWorker()
      made.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
        if (made === worker) take(made, data)
      })
      // Its code could not be fetched, or threw at its top.
      made.addEventListener('error', () => {
        if (made === worker) fail()
      })
      worker = made
    } catch {
      fail()
    }
    return worker
  }

  function take(from: Worker, message: FromWorker): void {
    if (message.type === 'wants') {
      wanted += 1
      watch()
      const answer = (file: HelpFile | undefined) => {
        if (from !== worker) return
        wanted -= 1
        say(from, { type: 'wanted', number: message.number, file })
        watch()
      }
      options.readFile(message.paths).then(answer, () => answer(undefined))
      return
    }
    hasAnswered = true
    pending.get(message.id)?.(message.type === 'answer' ? message.answer : undefined)
    pending.delete(message.id)
    watch()
  }

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
  const say = (to: Worker, message: ToWorker) => to.postMessage(message)

  return {
    async ask(name, { path, text }, question) {
      const asked = start()
      if (asked === undefined) return undefined
      lastId += 1
      const id = lastId
      const answer = await new Promise<unknown>((resolve) => {
        pending.set(id, resolve)
        // One question after the other must not put off the end of a worker that hangs.
        if (silence === undefined) watch()
        say(asked, { type: 'ask', id, name, path, text, question })
      })
      return answer as HelpQuestions[typeof name]['answer'] | undefined
    },
    forget() {
      if (worker !== undefined) say(worker, { type: 'forget' })
    },
    stop: end,
  }
}
