import {
  type Asked,
  type FromWorker,
  HELP_LIMITS,
  type HelpFile,
  type HelpQuestions,
  type QuestionName,
  type ToWorker,
} from './messages.ts'

export type Handlers = {
  /** Files of the workspace have changed. */
  readonly forget: () => void
} & {
  readonly [Name in QuestionName]: (
    asked: Pick<Asked, 'path' | 'text'> & HelpQuestions[Name]['ask'],
  ) => Promise<HelpQuestions[Name]['answer']> | HelpQuestions[Name]['answer']
}

/** Of a worker: the first of these files that is there. The page reads it; a worker reaches nothing itself. */
export type ReadFile = (paths: readonly string[]) => Promise<HelpFile | undefined>

/** Answers the page's questions, one after the other. */
export function serveHelp(makeHandlers: (readFile: ReadFile) => Handlers): void {
  const waiting = new Map<number, (file: HelpFile | undefined) => void>()
  let wanted = 0
  let read = 0
  let queue = Promise.resolve()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker speaks to the page that made it
  const send = (message: FromWorker) => globalThis.postMessage(message)
  const handlers = makeHandlers((paths) => {
    read += 1
    if (read > HELP_LIMITS.files) return Promise.resolve(undefined)
    wanted += 1
    const number = wanted
    return new Promise((resolve) => {
      waiting.set(number, resolve)
      send({ type: 'wants', number, paths })
    })
  })

  async function answer({ id, name, path, text, question }: Asked): Promise<void> {
    try {
      const handle = handlers[name] as (asked: object) => unknown
      send({ type: 'answer', id, answer: await handle({ path, text, ...question }) })
    } catch {
      send({ type: 'failed', id })
    }
  }

  addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
    if (data.type === 'ask') queue = queue.then(() => answer(data))
    else if (data.type === 'wanted') {
      waiting.get(data.number)?.(data.file)
      waiting.delete(data.number)
    } else {
      read = 0
      handlers.forget()
    }
  })
}
