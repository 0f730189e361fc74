import type { FrameOrder } from './frame-messages.ts'

type Runtime = Pick<Extract<FrameOrder, { type: 'prepare' }>, 'source' | 'wasm'>

const LONGEST_MS = 60_000
let loading: Promise<Runtime> | undefined

/** What runs Python, fetched with the first script that needs it: half a megabyte. */
export async function loadPythonRuntime(): Promise<Runtime> {
  loading ??= load().catch((error: unknown) => {
    // The next run tries again.
    loading = undefined
    throw error
  })
  return await loading
}

async function load(): Promise<Runtime> {
  const [{ default: source }, { default: address }] = await Promise.all([
    import('@micropython/micropython-webassembly-pyscript/micropython.mjs?raw'),
    import('@micropython/micropython-webassembly-pyscript/micropython.wasm?url'),
  ])
  const response = await fetch(address, { signal: AbortSignal.timeout(LONGEST_MS) })
  if (!response.ok) throw new Error(`${address}: ${response.status}`)
  return { source: asFunctionBody(source), wasm: await response.arrayBuffer() }
}

/** A module becomes the body of a function: the frame it is for can load no module. */
function asFunctionBody(module: string): string {
  return module
    .replaceAll('import.meta.url', "''")
    .replaceAll(/\bexport default \w+;/g, '')
    .replaceAll(/\bexport (?=async function)/g, '')
}
