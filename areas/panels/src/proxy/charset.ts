import { TextDecoder } from 'node:util'

const PRESCANNED_BYTES = 1024
const META_CHARSET = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i
const HEADER_CHARSET = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i

/** The text of a document, by the rules that browsers follow, but for guessing from its letters. */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  return decoderFor(bytes, contentType).decode(bytes)
}

function decoderFor(bytes: Uint8Array, contentType: string): TextDecoder {
  const label = byteOrderMark(bytes) ?? HEADER_CHARSET.exec(contentType)?.[1] ?? declaredIn(bytes)
  return (label === undefined ? undefined : findDecoder(label)) ?? guessed(bytes)
}

function byteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return undefined
}

/** A document that could be read this far is not UTF-16, whatever it says. */
function declaredIn(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, PRESCANNED_BYTES)).toString('latin1')
  const label = META_CHARSET.exec(start)?.[1]
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label
}

function findDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}

function guessed(bytes: Uint8Array): TextDecoder {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return new TextDecoder('utf-8')
  } catch {
    return new TextDecoder('windows-1252')
  }
}
