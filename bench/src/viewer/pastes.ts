import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LIMITS } from '@patchbay/contracts/limits'
import {
  type Paste,
  SCREENSHOT_PASTE_PATH,
  UPLOAD_GRANT_HEADER,
  UPLOAD_NONCE_META,
  UPLOAD_NONCE_PLACEHOLDER,
} from '@patchbay/contracts/viewer'
import { askChild, startProduct, startWorker, temporaryFolder } from '../processes.ts'
import { inTurns, median } from '../report.ts'
import type { BareSharp } from './bare-sharp.ts'
import type { LoopReading } from './loop-hook.ts'

export const SIDES = ['bare', 'viewer'] as const
export type SideName = (typeof SIDES)[number]

export interface PasteTimes {
  /** Of a paste by itself. */
  readonly aloneMs: number
  /** Until the last of those that came together was saved. */
  readonly togetherMs: number
  /** Of the viewer's event loop, while they came together. Not measured for the prototype, which serves nobody. */
  readonly longestBlockMs: number
}

export interface PasteSizes {
  readonly rounds: number
  readonly alone: number
  readonly together: number
}

const BARE = new URL('./bare-sharp.ts', import.meta.url)
const LOOP_HOOK = new URL('./loop-hook.ts', import.meta.url)
/** All that the measurement needs of the page; so it runs without the pages being built. */
const PAGE = `<meta name="${UPLOAD_NONCE_META}" content="${UPLOAD_NONCE_PLACEHOLDER}" />`
const NONCE = new RegExp(`name="${UPLOAD_NONCE_META}"\\s+content="([^"]+)"`)

/** Both sides are started once: what is measured is a paste, not a start. */
export async function measurePastes(file: string, sizes: PasteSizes) {
  using bare = startWorker<BareSharp>(BARE)
  await using project = await temporaryFolder()
  await using viewer = await startViewer(project.path)
  const paste = await pasterOf(viewer.port, await readFile(file))
  const sides: Readonly<Record<SideName, (together: number) => Promise<number>>> = {
    bare: async (together) => Math.max(...(await bare.ask('encode', { file, together }))),
    async viewer(together) {
      const start = performance.now()
      const pastes = await Promise.all(Array.from({ length: together }, paste))
      const took = performance.now() - start
      requireWhole(pastes)
      return took
    },
  }
  // The first of each loads libraries and fills caches.
  for (const side of SIDES) await sides[side](1)
  const readLoop = () => askChild<LoopReading>(viewer.running.child, 'read')
  return await inTurns(SIDES, sizes.rounds, async (side): Promise<PasteTimes> => {
    const alone: number[] = []
    for (let count = 0; count < sizes.alone; count += 1) alone.push(await sides[side](1))
    await readLoop()
    const togetherMs = await sides[side](sizes.together)
    const { longestMs } = await readLoop()
    return { aloneMs: median(alone), togetherMs, longestBlockMs: side === 'viewer' ? longestMs : Number.NaN }
  })
}

/** The product as a person starts it, in a project of its own. Looking for names would be another measurement. */
async function startViewer(project: string) {
  const webRoot = join(project, 'pages')
  await mkdir(webRoot)
  await writeFile(join(webRoot, 'viewer.html'), PAGE)
  const env = {
    PATCHBAY_VIEWER_PROJECT: project,
    PATCHBAY_VIEWER_NAMING: 'off',
    PATCHBAY_WEB_ROOT: webRoot,
  }
  return await startProduct('viewer', env, ['--import', LOOP_HOOK.href])
}

/** Pastes once; answers when both files are saved. */
async function pasterOf(port: number, picture: Uint8Array<ArrayBuffer>): Promise<() => Promise<Paste>> {
  const url = `http://127.0.0.1:${port}`
  const nonce = NONCE.exec(await (await fetch(url + SCREENSHOT_PASTE_PATH)).text())?.[1]
  if (nonce === undefined) throw new Error('the widget has no nonce')
  const granted = await fetch(`${url}/api/upload-grants`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ nonce }),
  })
  const { grant } = (await granted.json()) as { grant: string }
  const headers = { [UPLOAD_GRANT_HEADER]: grant, 'content-type': 'application/octet-stream' }
  return async () => {
    const answer = await fetch(`${url}/api/pastes`, { method: 'POST', headers, body: picture })
    if (answer.status !== 201)
      throw new Error(`a paste was answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Paste
  }
}

/** A paste that was answered without both pictures, or twice with the same files, is no paste. */
export function requireWhole(pastes: readonly Paste[]): void {
  const files = new Set(pastes.flatMap(({ optimized, original }) => [optimized.file, original.file]))
  if (files.size !== pastes.length * 2) throw new Error(`${pastes.length} pastes gave ${files.size} files`)
  for (const { optimized, original } of pastes) {
    const longest = Math.max(optimized.width, optimized.height)
    if (longest !== LIMITS.screenshotMaxSidePx || original.width <= longest)
      throw new Error(
        `a paste gave ${optimized.width} x ${optimized.height} of ${original.width} x ${original.height}`,
      )
  }
}
