import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@patchbay/testkit/chromium'

export interface NamedFile {
  readonly name: string
  readonly bytes: Buffer
}

/** What somebody copied before: a picture, which browsers keep as PNG, or a text. */
export async function copy(
  page: Page,
  what: { readonly png: Buffer } | { readonly text: string },
): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  if ('text' in what) return await page.evaluate((text) => navigator.clipboard.writeText(text), what.text)
  await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0)
    const blob = new Blob([bytes], { type: 'image/png' })
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })])
  }, what.png.toString('base64'))
}

export async function pressPaste(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+V')
}

/** Copies a picture and pastes it with the keys, as a person does. */
export async function paste(page: Page, png: Buffer): Promise<void> {
  await copy(page, { png })
  await pressPaste(page)
}

export async function choose(page: Page, files: readonly NamedFile[]): Promise<void> {
  await page
    .locator('input[type=file]')
    .setInputFiles(files.map(({ name, bytes }) => ({ name, mimeType: '', buffer: bytes })))
}

interface Dragged {
  readonly drop: () => Promise<void>
  readonly leave: () => Promise<void>
}

const PLACE = { x: 200, y: 500 }

/** What lies at these paths hangs over the page, as from a hand with a mouse. A page's own script could only pretend. */
export async function dragPaths(page: Page, paths: readonly string[], place = PLACE): Promise<Dragged> {
  const devtools = await page.context().newCDPSession(page)
  const dispatch = async (type: 'dragEnter' | 'dragOver' | 'drop') =>
    void (await devtools.send('Input.dispatchDragEvent', {
      type,
      ...place,
      data: { items: [], files: [...paths], dragOperationsMask: 1 },
    }))
  await dispatch('dragEnter')
  await dispatch('dragOver')
  return {
    drop: async () => await dispatch('drop'),
    // The tools of the browser can begin a drag and end it, but not lead it out of the window.
    leave: async () =>
      void (await page.evaluate(() =>
        document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true })),
      )),
  }
}

export async function dragOver(
  page: Page,
  files: readonly NamedFile[],
  place = PLACE,
): Promise<Dragged & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-dragged-'))
  const paths = files.map(({ name }) => join(folder, name))
  for (const [index, path] of paths.entries()) await writeFile(path, files[index]?.bytes ?? '')
  const dragged = await dragPaths(page, paths, place)
  return {
    ...dragged,
    [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true, force: true }),
  }
}
