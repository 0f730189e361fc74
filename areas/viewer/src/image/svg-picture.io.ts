import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const DEADLINE_MS = 30_000
// Beside this file, in the checkout and as it is built.
const ENTRY = fileURLToPath(new URL(`./svg-process.io${extname(import.meta.url)}`, import.meta.url))

/**
 * Draws an SVG on white as PNG, its longer side of this many pixels, in a process of its own that is ended when it takes too
 * long. `undefined`: it is no drawing, or too much of one.
 */
export async function drawSvg(
  svg: Uint8Array,
  pixels: number,
  deadlineMs = DEADLINE_MS,
): Promise<Buffer | undefined> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ENTRY, String(pixels)], {
    // Nothing of ours: the process that reads strangers' drawings needs no keys.
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: deadlineMs,
    killSignal: 'SIGKILL',
  })
  // A process that ends early leaves a broken pipe, and says the rest with its exit code.
  child.stdin.on('error', () => undefined).end(svg)
  try {
    const [png, [code]] = await Promise.all([buffer(child.stdout), once(child, 'exit')])
    return code === 0 ? png : undefined
  } catch {
    return undefined
  }
}
