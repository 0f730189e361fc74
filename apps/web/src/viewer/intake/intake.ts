import type { FailureText } from '../../errors/failure.ts'
import type { PictureFile } from '../uploads/upload-queue.ts'
import { HAS_KEYS, PASTE_KEYS_IN_WORDS } from './keys.ts'

/** Pictures to send, or what to tell the person in their place. */
export type Intake =
  | { readonly pictures: readonly PictureFile[] }
  | { readonly notice: FailureText & { readonly tone: 'info' | 'warning' } }

const TAKE_ONE = `Take a screenshot, then press ${HAS_KEYS ? PASTE_KEYS_IN_WORDS : 'Paste'}.`

/** What browsers call a picture in the clipboard that has no name of its own. */
const NAMELESS = /^image\.(?:png|jpe?g|bmp|webp|gif|avif)$/

/** What was pasted into the page. Nothing, when it is text for the field that has the focus. */
export function takePaste({ clipboardData, target }: ClipboardEvent): Intake | undefined {
  if (clipboardData === null) return undefined
  const { types, files } = clipboardData
  if (isField(target) && types.includes('text/plain')) return undefined
  if (files.length === 0) return tellMissing(types)
  return {
    pictures: Array.from(files, (file) => ({
      file,
      fileName: NAMELESS.test(file.name) ? undefined : file.name,
    })),
  }
}

/** What the clipboard holds, asked for by a press. Browsers may ask the person, or refuse. */
export async function readClipboard(): Promise<Intake> {
  let items: ClipboardItems
  try {
    items = await navigator.clipboard.read()
  } catch {
    // Not allowed in a frame of another origin, without a yes of the person, and over plain HTTP; in some browsers, never.
    const why = 'The browser does not let this button read the clipboard.'
    const keys = {
      title: `Press ${PASTE_KEYS_IN_WORDS} instead`,
      detail: `${why} The keys work anywhere on this page.`,
    }
    const files = { title: 'Choose a file instead', detail: `${why} Save the screenshot, then choose it.` }
    return { notice: { tone: 'info', ...(HAS_KEYS ? keys : files) } }
  }
  const pictures: PictureFile[] = []
  for (const item of items) {
    const type = item.types.find((each) => each.startsWith('image/'))
    if (type === undefined) continue
    pictures.push({ file: new File([await item.getType(type)], 'image', { type }), fileName: undefined })
  }
  return pictures.length > 0 ? { pictures } : tellMissing(items.flatMap(({ types }) => types))
}

/** What was dropped on the page. */
export function takeDrop({ items, files, types }: DataTransfer): Intake {
  const hasFolder = Array.from(items).some((item) => item.webkitGetAsEntry()?.isDirectory === true)
  if (hasFolder) {
    const detail = 'Open it and drop the pictures that are in it.'
    return { notice: { tone: 'warning', title: 'A folder cannot be dropped here', detail } }
  }
  if (files.length > 0) return { pictures: Array.from(files, (file) => ({ file, fileName: file.name })) }
  const detail = types.includes('text/uri-list')
    ? 'It is an address. Save the picture first, or copy the picture itself and paste it.'
    : 'Drop the file of a picture, or paste a screenshot.'
  return { notice: { tone: 'warning', title: 'That is not a file', detail } }
}

export function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'))
}

function tellMissing(types: readonly string[]): Intake {
  const isText = types.some((type) => type.startsWith('text/'))
  const title = isText ? 'The clipboard holds text, not a picture' : 'The clipboard holds no picture'
  return { notice: { tone: 'warning', title, detail: TAKE_ONE } }
}
