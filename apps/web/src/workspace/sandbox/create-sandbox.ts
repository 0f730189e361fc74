import { SANDBOX_LIMITS, SCREENSHOT_LIMITS } from '@patchbay/contracts/limits'
import type { SandboxResult } from '@patchbay/contracts/panels'
import type { PanelPicture } from '../panel-definition.ts'
import { createFrameLine, type FrameLine, type Wants } from './frame-line.ts'
import type { FrameAnswer, FrameOrder, WantedAnswer } from './frame-messages.ts'
import { loadPythonRuntime } from './python-runtime.ts'
import { errorResult, lineOf, resultOf } from './result.ts'
import type { CreateSandbox, ReadableFiles, Script, ScriptResult } from './sandbox-port.ts'
import { words } from './words.ts'

const PNG = [0x89, 0x50, 0x4e, 0x47]

/** What takes a picture inside the frame, as text. Fetched when it is first needed. */
async function pictureSource(): Promise<string> {
  return (await import('./frame/picture.ts?script')).text
}

/** The picture that the frame gave, if it is one. */
function pictureOf(answer: Extract<FrameAnswer, { type: 'picture' }>, scale: number): PanelPicture {
  const { png, width, height } = answer
  const isPng = png instanceof ArrayBuffer && PNG.every((byte, index) => new Uint8Array(png)[index] === byte)
  if (!isPng || png.byteLength > SCREENSHOT_LIMITS.bytes) throw new Error(words.picture.invalid)
  return { png: new Blob([png], { type: 'image/png' }), width, height, scale }
}

/** Whatever a frame asks for, which is anybody's code. */
async function answerTo(files: ReadableFiles, { what, path }: Wants): Promise<WantedAnswer> {
  try {
    if (typeof path !== 'string' || path.length > LONGEST_PATH) return { error: words.noPath }
    return what === 'read' ? { bytes: await files.read(path) } : { paths: await files.list(path) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

type Outcome = Omit<ScriptResult, 'durationMs' | 'console'>
type Order = (id: number) => FrameOrder
type Lines = NonNullable<SandboxResult['console']>

/** A frame that hung between two evaluations is found before the next begins. */
const PING_MS = 1_000
const PICTURE_MS = 15_000
const RESET_MS = 15_000
const PREPARING_MS = 15_000
const LONGEST_PATH = 1_024

export const createSandbox: CreateSandbox = (element, options) => {
  const { files } = options
  /** What the code that runs now has written. */
  let lines: Lines = []
  /** Whether code has run in the frame that is there, so that something may be in it. */
  let hasRun = false
  const line: FrameLine = createFrameLine(element, {
    ...options,
    onWants: files === undefined ? undefined : (wants) => answerTo(files, wants),
    onConsole(level, text) {
      const written = lineOf({ level, text })
      if (written === undefined) return
      if (lines.length <= SANDBOX_LIMITS.consoleLines) lines.push(written)
      options.onConsole?.(written)
    },
    onClose(why) {
      if (hasRun) options.onEmptied?.(why)
      hasRun = false
    },
  })

  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  /** One after the other. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    waiting += 1
    const turn = last.then(work).finally(() => {
      waiting -= 1
    })
    last = turn.catch(() => undefined)
    return turn
  }

  async function outcomeOf(order: Order, timeoutMs: number, due: number): Promise<Outcome> {
    if (!(await line.isReady(due - performance.now()))) return errorResult(words.notReady)
    if (!(await line.answers(Math.min(PING_MS, timeoutMs)))) {
      await line.renew(words.hung)
      if (!(await line.isReady(due - performance.now()))) return errorResult(words.notReady)
    }
    lines = []
    hasRun = true
    const left = Math.max(1, due - performance.now())
    const answer = await line.ask(order, left)
    if (answer.type === 'executed') return resultOf(answer)
    if (answer.type === 'failed') return { ...errorResult(answer.error), ...placeIn(answer) }
    // The code before it had sent the page elsewhere: this one runs in the page that comes.
    if (answer.type === 'lost' && !answer.isBegun && performance.now() < due)
      return await outcomeOf(order, timeoutMs, due)
    if (answer.type === 'lost') return errorResult(answer.why)
    // Whether it hangs or only waits: what it still does would happen to the next evaluation.
    void line.renew(words.codeLate)
    return errorResult(words.timedOut(timeoutMs))
  }

  async function evaluate(order: Order, timeoutMs: number): Promise<ScriptResult> {
    const begun = performance.now()
    const outcome = await outcomeOf(order, timeoutMs, begun + timeoutMs)
    const written = lines
    lines = []
    return {
      ...outcome,
      ...(written.length > 0 && { console: written }),
      durationMs: Math.round(performance.now() - begun),
    }
  }

  async function runScript(script: Script, timeoutMs: number, keepsFrame: boolean): Promise<ScriptResult> {
    if (hasRun && !keepsFrame) await renew()
    const { language, code, name } = script
    if (language === 'javascript') return await evaluate((id) => ({ type: 'script', id, code }), timeoutMs)
    const failure = await preparePython(script)
    if (failure !== undefined) return { ...errorResult(failure), durationMs: 0 }
    return await evaluate((id) => ({ type: 'python', id, code, name }), timeoutMs)
  }

  /** Before the clock of the run begins. Answers why it could not be. */
  async function preparePython({ folder, files: beside }: Script): Promise<string | undefined> {
    const runtime = await loadPythonRuntime().catch(() => undefined)
    if (runtime === undefined) return words.python.notLoaded
    if (!(await line.isReady(RESET_MS))) return words.notReady
    hasRun = true
    const answer = await line.ask(
      (id) => ({ type: 'prepare', id, ...runtime, folder, files: beside }),
      PREPARING_MS,
    )
    if (answer.type === 'prepared') return undefined
    if (answer.type === 'late') void line.renew(words.hung)
    return answer.type === 'failed' ? answer.error : words.python.notStarted
  }

  async function renew(): Promise<void> {
    hasRun = false
    await line.renew(words.reset)
    await line.isReady(RESET_MS)
  }

  async function takePicture(): Promise<PanelPicture> {
    if (!(await line.isReady(PICTURE_MS))) throw new Error(words.notReady)
    const source = await pictureSource()
    const scale = devicePixelRatio
    const answer = await line.ask((id) => ({ type: 'picture', id, source, scale }), PICTURE_MS)
    if (answer.type === 'picture') return pictureOf(answer, scale)
    if (answer.type === 'late') void line.renew(words.picture.late)
    throw new Error(answer.type === 'failed' ? answer.error : words.picture.none)
  }

  return {
    evaluate(code, timeoutMs) {
      if (waiting >= SANDBOX_LIMITS.queued)
        return Promise.resolve({ ...errorResult(words.tooMany), durationMs: 0 })
      return inTurn(() => evaluate((id) => ({ type: 'evaluate', id, code }), timeoutMs))
    },
    runScript(script, timeoutMs, keepsFrame = false) {
      if (waiting >= SANDBOX_LIMITS.queued)
        return Promise.resolve({ ...errorResult(words.tooMany), durationMs: 0 })
      return inTurn(() => runScript(script, timeoutMs, keepsFrame))
    },
    takePicture: () => inTurn(takePicture),
    reset: renew,
    dispose() {
      hasRun = false
      line.dispose()
    },
  }
}

/** A line that a frame tells of, if it is one. */
function placeIn({ line }: Extract<FrameAnswer, { type: 'failed' }>): { line?: number } {
  return Number.isInteger(line) && line !== undefined && line >= 1 ? { line } : {}
}
