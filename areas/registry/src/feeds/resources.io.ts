import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ObjectStore } from '@patchbay/kernel/objects'
import { type PackageIcon, writeResourcesZip } from '@patchbay/package-archive'
import type { BuiltContent } from './feed.ts'

export interface IconRecord {
  readonly identifier: string
  readonly sha256: string
}

/** Existing tools read at most 100 MiB, and all of it is in memory while it is written. */
const MAX_ICON_BYTES = 64 * 1024 * 1024

export function iconsKeyOf(icons: readonly IconRecord[]): string {
  const hash = createHash('sha256')
  for (const { identifier, sha256 } of icons) hash.update(`${identifier} ${sha256}\n`)
  return hash.digest('hex')
}

/** Icons beyond the limit, and such that the store has lost, are left out: a feed without a picture is still a feed. */
export async function writeResources(
  objects: ObjectStore,
  records: readonly IconRecord[],
  path: string,
): Promise<BuiltContent> {
  const icons: PackageIcon[] = []
  let total = 0
  for (const { identifier, sha256 } of records) {
    const icon = await readObject(objects, sha256)
    if (icon === undefined || total + icon.byteLength > MAX_ICON_BYTES) continue
    total += icon.byteLength
    icons.push({ identifier, icon })
  }
  await writeWhatFits(icons, path)
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array)
  return { sha256: hash.digest('hex'), size: (await stat(path)).size }
}

export function readResources(path: string): Readable {
  return createReadStream(path)
}

/** One name that no zip may hold must not keep the feed of a whole installation from being built. */
async function writeWhatFits(icons: readonly PackageIcon[], path: string): Promise<void> {
  try {
    await writeResourcesZip(icons, path)
  } catch {
    const fitting: PackageIcon[] = []
    for (const icon of icons) {
      const fits = await writeResourcesZip([icon], `${path}.probe`).then(
        () => true,
        () => false,
      )
      if (fits) fitting.push(icon)
    }
    await writeResourcesZip(fitting, path)
  }
}

async function readObject(objects: ObjectStore, sha256: string): Promise<Buffer | undefined> {
  const found = await objects.get(sha256)
  return found && (await buffer(found.stream))
}
