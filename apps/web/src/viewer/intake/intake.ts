import type { FailureText } from '../../errors/failure.ts'
import type { PictureFile } from '../uploads/upload-queue.ts'
import { words } from '../words.tsx'
import { HAS_KEYS, PASTE_KEYS_IN_WORDS } from './keys.ts'

/** Pictures to send, or what to tell the person in their place. */
export type Intake =
  | { readonly pictures: readonly PictureFile[] }
  | { readonly notice: FailureText & { readonly tone: 'info' | 'warning' } }

const TAKE_ONE = words.intake.takeOne(HAS_KEYS ? PASTE_KEYS_IN_WORDS : words.pasteArea.paste)

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
    const { pressInstead, chooseInstead } = words.intake
    return { notice: { tone: 'info', ...(HAS_KEYS ? pressInstead(PASTE_KEYS_IN_WORDS) : chooseInstead) } }
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
  if (hasFolder) return { notice: { tone: 'warning', ...words.intake.folder } }
  if (files.length > 0) return { pictures: Array.from(files, (file) => ({ file, fileName: file.name })) }
  const detail = types.includes('text/uri-list') ? words.intake.noFile.address : words.intake.noFile.other
  return { notice: { tone: 'warning', title: words.intake.noFile.title, detail } }
}

export function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'))
}

function tellMissing(types: readonly string[]): Intake {
  const isText = types.some((type) => type.startsWith('text/'))
  const title = isText ? words.intake.isText : words.intake.noPicture
  return { notice: { tone: 'warning', title, detail: TAKE_ONE } }
}
