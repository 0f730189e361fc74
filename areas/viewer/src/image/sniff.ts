import type { PictureType } from '@patchbay/contracts/viewer'
import { refused } from './refused.ts'

/** How much of a file `sniff` looks at. */
export const SNIFFED_BYTES = 512
const ACCEPTED = 'Use PNG, JPEG, WebP, BMP, GIF or AVIF.'

const SIGNATURES: readonly (readonly [start: string, type: PictureType])[] = [
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['BM', 'image/bmp'],
]

const KNOWN_OTHERS: readonly (readonly [start: string, what: string])[] = [
  ['%PDF', 'a PDF document'],
  ['II*\0', 'a TIFF picture'],
  ['MM\0*', 'a TIFF picture'],
  ['\xff\x0a', 'a JPEG XL picture'],
  ['\0\0\0\x0cJXL ', 'a JPEG XL picture'],
  ['\0\0\0\x0cjP  ', 'a JPEG 2000 picture'],
  ['8BPS', 'a Photoshop document'],
  ['\0\0\x01\0', 'an icon file'],
  ['PK\x03\x04', 'a ZIP archive or an office document'],
]

/** What a file is by its first bytes; what it is called is never asked. Throws `picture_refused` for all else. */
export function sniff(head: Uint8Array): PictureType {
  if (head.length === 0) throw refused('The file is empty.')
  const start = Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1')
  const found = SIGNATURES.find(([signature]) => start.startsWith(signature))
  if (found !== undefined) return found[1]
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'image/webp'
  if (start.slice(4, 8) === 'ftyp') return sniffBrands(head, start)
  const other = KNOWN_OTHERS.find(([signature]) => start.startsWith(signature))?.[1] ?? textKind(head, start)
  throw refused(other === undefined ? `This is not a picture. ${ACCEPTED}` : `This is ${other}. ${ACCEPTED}`)
}

/** HEIC, AVIF and films share one container; the list of brands tells them apart. */
function sniffBrands(head: Uint8Array, start: string): PictureType {
  const length = new DataView(head.buffer, head.byteOffset, head.length).getUint32(0)
  const brands = (start.slice(8, Math.min(length, head.length)).match(/[\s\S]{4}/g) ?? []).filter(
    (_, index) => index !== 1,
  )
  if (brands.includes('avif')) return 'image/avif'
  if (brands.includes('avis')) throw refused(`This is an AVIF animation. ${ACCEPTED}`)
  const isHeic = brands.some((brand) => /^(hei[cxms]|hev[cxms]|mif1|msf1)$/.test(brand))
  throw refused(`This is ${isHeic ? 'a HEIC picture' : 'a film'}. ${ACCEPTED}`)
}

function textKind(head: Uint8Array, start: string): string | undefined {
  const isUtf16 = start.startsWith('\xff\xfe') || start.startsWith('\xfe\xff')
  if (!isUtf16 && head.some(isUnheardOfInText)) return undefined
  const text = start
    .replace(/^\xef\xbb\xbf/, '')
    .replaceAll('\0', '')
    .toLowerCase()
  if (/<svg[\s>]/.test(text)) return 'an SVG drawing'
  if (/<(!doctype html|html|head|body|meta|div|img)[\s>]/.test(text)) return 'a web page'
  return 'text'
}

/** Control characters other than tabs, ends of lines and pages, and escapes. */
function isUnheardOfInText(byte: number): boolean {
  return byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b
}
