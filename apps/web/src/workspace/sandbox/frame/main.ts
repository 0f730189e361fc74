import type { FrameAnswer, FrameOrder } from '../frame-messages.ts'
import { captureConsole, type Lines } from './console.ts'
import { describe } from './describe.ts'
import { ABSENT } from './describe-object.ts'
import { errorText } from './error-text.ts'
import { type FilesInFrame, filesInFrame } from './files.ts'
import {
  AsyncFunctionOf,
  apply,
  FunctionOf,
  follow,
  listen,
  messageData,
  PromiseOf,
  post,
  put,
  runScript,
  tagOf,
} from './intrinsics.ts'
import { typeOf } from './kinds.ts'
import { MOST_TEXT } from './limits.ts'
import type { Picture } from './picture.ts'
import { isReadable, type Plan, planFor } from './plan.ts'
import { type Python, PythonFault, preparePython } from './python.ts'
import { createSyntaxProbe, lineOfError, SOURCE_NAME } from './script-line.ts'

type TakePicture = (scale: number) => Promise<Picture>

/**
 * Runs what is asked for over the port. Nothing of it may be reachable for the code that it runs. Answers what puts its
 * listeners back, for whenever the document has forgotten them.
 */
export function start(port: MessagePort): () => void {
  const answer = (message: FrameAnswer, transfer: Transferable[] = []): void => post(port, message, transfer)
  const lines = captureConsole((level, text) => answer({ type: 'console', level, text }))
  let isLeaving = false
  const onLeaving = () => {
    isLeaving = true
    answer({ type: 'leaving' })
  }
  const probe = createSyntaxProbe()
  const onError = (event: Event) => {
    if (!probe.take(event as ErrorEvent)) uncaughtError(lines, event as ErrorEvent)
  }
  const onRejection = (event: Event) => unhandledRejection(lines, event as PromiseRejectionEvent)
  const listenAgain = () => {
    listen(self, 'beforeunload', onLeaving)
    listen(self, 'error', onError)
    listen(self, 'unhandledrejection', onRejection)
  }
  listenAgain()
  let takePicture: TakePicture | undefined
  let files: FilesInFrame | undefined
  let python: Python | undefined

  function begin(id: number): void {
    answer({ type: 'begun', id })
    lines.renew()
  }

  function executed(id: number, value: unknown): void {
    const budget = { left: MOST_TEXT, isTruncated: false }
    const described = describe(value, budget)
    const result = described === ABSENT ? undefined : described
    answer({ type: 'executed', id, result, resultType: typeOf(value), isTruncated: budget.isTruncated })
  }

  function evaluate(id: number, code: string): void {
    begin(id)
    settle(
      () => run(planFor(code)),
      (value) => executed(id, value),
      (reason) => answer({ type: 'failed', id, error: errorText(reason) }),
    )
  }

  function script(id: number, code: string): void {
    begin(id)
    const plan = planFor(code)
    settle(
      () => run({ ...plan, text: `${plan.text}${SOURCE_NAME}` }),
      (value) => executed(id, value),
      (reason) => {
        const failed = (line: number | undefined) =>
          answer({ type: 'failed', id, error: errorText(reason), line })
        if (isReadable(code)) failed(lineOfError(reason, plan.isBody))
        else probe.find(code, failed)
      },
    )
  }

  function prepare({ id, ...preparing }: Extract<FrameOrder, { type: 'prepare' }>): void {
    settle(
      () => preparePython({ ...preparing, api: files?.api, onLine: (text) => lines.add('log', text) }),
      (prepared) => {
        python = prepared as Python
        answer({ type: 'prepared', id })
      },
      (reason) => answer({ type: 'failed', id, error: errorText(reason) }),
    )
  }

  function runPython(id: number, code: string, name: string): void {
    begin(id)
    settle(
      () => python?.run(code, name),
      () => executed(id, undefined),
      (reason) => {
        const error = reason instanceof PythonFault ? reason.text : errorText(reason)
        answer({ type: 'failed', id, error })
      },
    )
  }

  function offerFiles(): void {
    files = filesInFrame((number, what, path) => answer({ type: 'wants', number, what, path }))
    put(self, 'files', files.api)
  }

  function picture(id: number, source: string | null, scale: number): void {
    settle(
      () => {
        takePicture ??= (new FunctionOf(`${source};return sandboxFrame`)() as { takePicture: TakePicture })
          .takePicture
        return takePicture(scale)
      },
      (taken) => {
        const { png, width, height } = taken as Picture
        answer({ type: 'picture', id, png, width, height }, [png])
      },
      (reason) => answer({ type: 'failed', id, error: errorText(reason) }),
    )
  }

  port.addEventListener('message', (event) => {
    const order = messageData(event) as FrameOrder
    if (order.type === 'ping') answer({ type: 'pong', id: order.id })
    // Once it has said that it leaves, what has not begun is run in the page that comes: here as well would be twice.
    else if (isLeaving) return
    else if (order.type === 'evaluate') evaluate(order.id, order.code)
    else if (order.type === 'script') script(order.id, order.code)
    else if (order.type === 'prepare') prepare(order)
    else if (order.type === 'python') runPython(order.id, order.code, order.name)
    else if (order.type === 'offer-files') offerFiles()
    else if (order.type === 'wanted') files?.answer(order.number, order.answer)
    else picture(order.id, order.source, order.scale)
  })
  port.start()
  answer({ type: 'ready' })
  return listenAgain
}

function run({ isBody, text }: Plan): unknown {
  return isBody ? apply(new AsyncFunctionOf(text), undefined, []) : apply(runScript, undefined, [text])
}

/** Waits for what comes of it, promise or not. */
function settle(
  work: () => unknown,
  done: (value: unknown) => void,
  failed: (reason: unknown) => void,
): void {
  const reported = (value: unknown): void => {
    try {
      done(value)
    } catch (error) {
      failed(error)
    }
  }
  let value: unknown
  try {
    value = work()
  } catch (error) {
    return failed(error)
  }
  if (isPromise(value) && followed(value, reported, failed)) return
  const promise = new PromiseOf<unknown>((resolve) => {
    resolve(value)
  })
  followed(promise, reported, failed)
}

/** A proxy throws when it is asked what it is; nobody would answer then until the deadline. */
function isPromise(value: unknown): value is Promise<unknown> {
  try {
    return tagOf(value) === '[object Promise]'
  } catch {
    return false
  }
}

/** Follows a real promise by what a promise did at first: code may have replaced its `then`. */
function followed(
  promise: Promise<unknown>,
  done: (value: unknown) => void,
  failed: (reason: unknown) => void,
): boolean {
  try {
    // Otherwise a constructor is asked that code can replace.
    put(promise, 'constructor', undefined)
    follow(promise, done, failed)
    return true
  } catch {
    return false
  }
}

function uncaughtError(lines: Lines, event: ErrorEvent): void {
  lines.add('error', `Uncaught ${event.error === undefined ? event.message : errorText(event.error)}`)
}

function unhandledRejection(lines: Lines, event: PromiseRejectionEvent): void {
  lines.add('error', `Uncaught in a promise: ${errorText(event.reason)}`)
}
