import type { FrameFile } from '../frame-messages.ts'
import { AsyncFunctionOf, put } from './intrinsics.ts'

/** As much of MicroPython as is used here. */
interface MicroPython {
  readonly FS: {
    mkdirTree(path: string): void
    writeFile(path: string, bytes: Uint8Array): void
    chdir(path: string): void
  }
  registerJsModule(name: string, module: object): void
  runPythonAsync(code: string): Promise<unknown>
}
type Load = (options: object) => Promise<MicroPython>

export interface Python {
  run(code: string, name: string): Promise<void>
}

interface Preparing {
  readonly source: string
  readonly wasm: ArrayBuffer
  readonly folder: string
  readonly files: readonly FrameFile[]
  /** What scripts import as `files`. */
  readonly api: object | undefined
  readonly onLine: (text: string) => void
}

/** A small board has less; a plot of a day's readings needs more than the megabyte that it comes with. */
const HEAP_BYTES = 16 * 1024 * 1024
/** A folder of its own: the runtime has some at the very top. */
const TOP = '/workspace'
const MOST_TRACE_LINES = 16
/** A line without an end is shown in pieces: it would otherwise be kept until the memory is full. */
const LONGEST_LINE = 8_192

/** MicroPython, in a file system that holds the files beside the script. For one run: nothing of it is cleaned up. */
export async function preparePython(preparing: Preparing): Promise<Python> {
  const { source, wasm, folder, files, api, onLine } = preparing
  const output = lineWriter(onLine)
  const load = (await new AsyncFunctionOf(`${source}\n;return loadMicroPython`)()) as Load
  const python = await withFetch(wasm, () =>
    load({
      url: 'micropython.wasm',
      heapsize: HEAP_BYTES,
      linebuffer: false,
      stdout: output.add,
      stderr: output.add,
    }),
  )
  python.FS.mkdirTree(`${TOP}/${folder}`)
  for (const { path, bytes } of files) {
    python.FS.mkdirTree(`${TOP}/${path}`.replace(/\/[^/]*$/, '/'))
    python.FS.writeFile(`${TOP}/${path}`, new Uint8Array(bytes))
  }
  python.FS.chdir(`${TOP}/${folder}`)
  if (api !== undefined) python.registerJsModule('files', api)
  return {
    async run(code, name) {
      try {
        await python.runPythonAsync(code)
      } catch (error) {
        const trace = traceOf(error, name)
        if (trace !== undefined) throw new PythonFault(trace)
      } finally {
        output.end()
      }
    },
  }
}

/** Its text is what Python says, without a name before it. */
export class PythonFault {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** The runtime fetches its own code; this frame has no network, and the page has brought it along. */
async function withFetch<T>(wasm: ArrayBuffer, work: () => Promise<T>): Promise<T> {
  const { fetch: own } = globalThis
  put(
    globalThis,
    'fetch',
    async () => new Response(wasm, { headers: { 'content-type': 'application/wasm' } }),
  )
  try {
    return await work()
  } finally {
    put(globalThis, 'fetch', own)
  }
}

function lineWriter(onLine: (text: string) => void) {
  const decoder = new TextDecoder()
  let held: number[] = []
  const flush = () => {
    onLine(decoder.decode(new Uint8Array(held)))
    held = []
  }
  return {
    add: (bytes: Uint8Array) => {
      for (const byte of bytes) {
        if (byte === 10) flush()
        else if (held.push(byte) >= LONGEST_LINE) flush()
      }
    },
    end: () => {
      if (held.length > 0) flush()
    },
  }
}

/** What Python printed of an error, with the script's own name. Nothing where the script has ended itself. */
function traceOf(error: unknown, name: string): string | undefined {
  const { type, message } = error as { type?: unknown; message?: unknown }
  const text = typeof message === 'string' ? message : String(error)
  if (type === 'SystemExit' && /SystemExit:? ?(?:0|None)?\s*$/.test(text)) return undefined
  const lines = text.replaceAll('File "<stdin>"', `File "${name}"`).trimEnd().split('\n')
  if (lines.length <= MOST_TRACE_LINES) return lines.join('\n')
  const half = MOST_TRACE_LINES / 2
  return [...lines.slice(0, half), '  …', ...lines.slice(-half)].join('\n')
}
