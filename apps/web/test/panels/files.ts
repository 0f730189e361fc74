import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@patchbay/testkit/chromium'

/** A file of this computer: with this content, or as many zeros. */
export async function makeFile(
  name: string,
  content: Buffer | number,
): Promise<AsyncDisposable & { path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-panels-'))
  const path = join(folder, name)
  await using file = await open(path, 'w')
  if (typeof content === 'number') await file.truncate(content)
  else await file.writeFile(content)
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

/** Drops a file of this computer on a place, as a hand with a mouse does. A page's own script could only pretend. */
export async function dropFile(page: Page, place: Locator, file: string): Promise<void> {
  const box = await place.boundingBox()
  if (box === null) throw new Error('there is no place to drop the file on')
  const devtools = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data: { items: [], files: [file], dragOperationsMask: 1 },
    })
  }
}
