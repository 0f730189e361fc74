import type { FileEntry } from './file-tree.ts'

/** More would take long to draw, and nobody reads it to the end in a panel. */
export const MOST_TEXT_BYTES = 256 * 1024
export const MOST_PICTURE_BYTES = 20 * 1024 * 1024
/** A few kilobytes can unfold to gigabytes. */
const MOST_PIXELS = 50_000_000

/** What a browser only ever draws. A picture that is a document, such as SVG, could do more than that. */
const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** How a file is looked at. Whether it is text is known only after it was read. */
export function viewOf({
  size,
  mediaType,
}: Pick<FileEntry, 'size' | 'mediaType'>): 'text' | 'picture' | 'none' {
  if (PICTURES.has(mediaType)) return size <= MOST_PICTURE_BYTES ? 'picture' : 'none'
  return size <= MOST_TEXT_BYTES ? 'text' : 'none'
}

/** `undefined` for what is no text, or more of it than is shown. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.byteLength > MOST_TEXT_BYTES) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text.replaceAll(/\r\n?/g, '\n')
  } catch {
    return undefined
  }
}

/** An address to draw a picture from, to be given back with `URL.revokeObjectURL`. None for what is no picture. */
export async function pictureOf(
  bytes: Uint8Array<ArrayBuffer>,
  mediaType: string,
): Promise<string | undefined> {
  if (!PICTURES.has(mediaType)) return undefined
  const address = URL.createObjectURL(new Blob([bytes], { type: mediaType }))
  const image = new Image()
  const isLoaded = await new Promise<boolean>((resolve) => {
    image.addEventListener('load', () => resolve(true))
    image.addEventListener('error', () => resolve(false))
    image.src = address
  })
  // Its size is known before anything unfolds.
  if (isLoaded && image.naturalWidth * image.naturalHeight <= MOST_PIXELS) return address
  URL.revokeObjectURL(address)
  return undefined
}
