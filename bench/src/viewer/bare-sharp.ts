// The prototype: the two encodes that a paste must give, and nothing around them.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIMITS } from '@patchbay/contracts/limits'
import sharp from 'sharp'
import { serveParent } from '../processes.ts'

export interface BareSharp extends Record<string, (argument: never) => Promise<unknown>> {
  /** Both encodes of the file, this many at once; the time of each until both files are written. */
  encode(order: { readonly file: string; readonly together: number }): Promise<readonly number[]>
}

const folder = await mkdtemp(join(tmpdir(), 'patchbay-bench-sharp-'))
process.once('disconnect', () => void rm(folder, { recursive: true, force: true }))
const PNG = { compressionLevel: LIMITS.pngCompressionLevel }
const SIDE = LIMITS.screenshotMaxSidePx

async function encodeBoth(file: string, index: number): Promise<number> {
  const start = performance.now()
  await Promise.all([
    sharp(file)
      .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
      .png(PNG)
      .toFile(join(folder, `${index}.png`)),
    sharp(file)
      .png(PNG)
      .toFile(join(folder, `${index}-original.png`)),
  ])
  return performance.now() - start
}

const commands: BareSharp = {
  encode: ({ file, together }) =>
    Promise.all(Array.from({ length: together }, (_, index) => encodeBoth(file, index))),
}

serveParent(commands)
