import { type FileHandle, open } from 'node:fs/promises'
import { PASTE_LIMITS } from '@patchbay/contracts/limits'
import type { PictureType } from '@patchbay/contracts/viewer'
import type { Metadata, Sharp, SharpOptions } from 'sharp'
import sharp from 'sharp'
import { checkAvif } from './avif.ts'
import { bmpChannels, decodeBmp } from './bmp.ts'
import { BMP_HEADER_BYTES, type BmpHeader, readBmpHeader } from './bmp-header.ts'
import { checkSize, type PictureFacts } from './plan.ts'
import { fourLetters, type ReadAt, viewOf } from './read-at.ts'
import { CUT_OFF, refused, UNUSUAL } from './refused.ts'
import { SNIFFED_BYTES, sniff } from './sniff.ts'

const MAX_CHUNKS = 4096
const FILE_HEADER = 12
const CHUNK_HEADER = 8

/**
 * Counts the parts of a WebP file. The time that the decoder takes to find the first frame grows with the square of their
 * number, where no deadline can interrupt it: 32 MB of empty frames take minutes.
 */
async function checkWebp(readAt: ReadAt, fileBytes: number): Promise<void> {
  let offset = FILE_HEADER
  for (let chunks = 0; offset + CHUNK_HEADER <= fileBytes; chunks += 1) {
    if (chunks === MAX_CHUNKS) throw refused('The animation has too many frames. Save one of them as PNG.')
    const header = viewOf(await readAt(offset, CHUNK_HEADER))
    if (header.byteLength < CHUNK_HEADER) return
    const size = header.getUint32(4, true)
    // The picture itself comes last unless there are frames; what follows it is not looked at by anybody.
    if (fourLetters(header, 0) === 'VP8 ' || fourLetters(header, 0) === 'VP8L') return
    offset += CHUNK_HEADER + size + (size % 2)
  }
}

const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
const SCREEN_HEADER = 13
const IMAGE_HEADER = 10

/**
 * The file up to the end of its first frame. The decoder would read two million frames of an animation to show one, and
 * hold something of each. Writes the end mark into the bytes it was given.
 */
function firstGifFrame(bytes: Uint8Array): Uint8Array {
  let offset = SCREEN_HEADER + colorTable(at(bytes, 10))
  for (;;) {
    const kind = at(bytes, offset)
    if (kind === TRAILER) throw refused('The GIF file has no picture in it.')
    if (kind === IMAGE) offset += IMAGE_HEADER + colorTable(at(bytes, offset + 9)) + 1
    else if (kind === EXTENSION) offset += 2
    else throw refused(CUT_OFF)
    for (let length = at(bytes, offset); length > 0; length = at(bytes, offset)) offset += 1 + length
    offset += 1
    if (kind === IMAGE) break
  }
  if (offset >= bytes.length) throw refused(CUT_OFF)
  bytes[offset] = TRAILER
  return bytes.subarray(0, offset + 1)
}

function colorTable(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

function at(bytes: Uint8Array, offset: number): number {
  const byte = bytes[offset]
  if (byte === undefined) throw refused(CUT_OFF)
  return byte
}

/** A picture that was looked at, and not yet decoded. */
export interface OpenedPicture {
  readonly fileBytes: number
  readonly facts: PictureFacts
  /** What is decoded by us is decoded here, once. */
  readonly load: () => Promise<LoadedPicture>
}

export interface LoadedPicture {
  /** A pipeline of its own for each of the two files. */
  readonly begin: () => Sharp
  /** Gives the memory back at once. Left to the collector, several large pictures in a row would add up. */
  readonly release: () => void
}

/** `warning`: what libraries only warn about is damage, or an attempt at them. */
const READING = {
  limitInputPixels: PASTE_LIMITS.pixels,
  failOn: 'warning',
  unlimited: false,
  pages: 1,
  autoOrient: true,
} as const satisfies SharpOptions

export async function openPicture(path: string): Promise<OpenedPicture> {
  await using file = await open(path, 'r')
  const { size: fileBytes } = await file.stat()
  if (fileBytes > PASTE_LIMITS.uploadBytes) throw refused('The file is too large.')
  const readAt: ReadAt = (offset, length) => readPart(file, offset, length)
  const type = sniff(await readAt(0, SNIFFED_BYTES))
  if (type === 'image/bmp') return openBmp(path, fileBytes, await readAt(0, BMP_HEADER_BYTES))
  // Awaited here: a refusal would be nobody's while the file is being closed, and end the process.
  if (type === 'image/gif') return await openGif(await readAt(0, fileBytes))
  if (type === 'image/webp') await checkWebp(readAt, fileBytes)
  const largest = type === 'image/avif' ? await checkAvif(readAt, fileBytes) : 0
  const facts = await readFacts(type, path, 0)
  // Transparency may come as a picture of its own; a larger one than what is shown is made to fill memory.
  if (largest > facts.width * facts.height) throw refused(UNUSUAL)
  return {
    fileBytes,
    facts,
    load: async () => ({ begin: () => sharp(path, READING), release: () => undefined }),
  }
}

function openBmp(path: string, fileBytes: number, head: Uint8Array): OpenedPicture {
  const header = readBmpHeader(head, fileBytes)
  const { width, height } = header
  const channels = bmpChannels(header)
  const heldBytes = fileBytes + width * height * (channels + (header.isRunLength ? 1 : 0))
  return {
    fileBytes,
    facts: {
      type: 'image/bmp',
      width,
      height,
      channels,
      bits: 8,
      isProgressive: false,
      isTurned: false,
      heldBytes,
    },
    load: () => loadBmp(path, fileBytes, header),
  }
}

async function loadBmp(path: string, fileBytes: number, header: BmpHeader): Promise<LoadedPicture> {
  const bytes = await readWhole(path, fileBytes)
  const { data, channels } = decodeBmp(bytes, header)
  release(bytes)
  const { width, height } = header
  return {
    begin: () => sharp(data, { ...READING, raw: { width, height, channels } }),
    release: () => release(data),
  }
}

async function openGif(bytes: Uint8Array): Promise<OpenedPicture> {
  const fileBytes = bytes.length
  const first = firstGifFrame(bytes)
  return {
    fileBytes,
    facts: await readFacts('image/gif', first, fileBytes),
    load: async () => ({ begin: () => sharp(first, READING), release: () => release(bytes) }),
  }
}

async function readFacts(
  type: PictureType,
  input: string | Uint8Array,
  heldBytes: number,
): Promise<PictureFacts> {
  // Without a limit here: the size is wanted for the words of the refusal, and nothing is decoded for it.
  const metadata = await sharp(input, { ...READING, limitInputPixels: false }).metadata()
  if (metadata.mediaType !== type) throw refused(CUT_OFF)
  const { width, height, channels, isProgressive, orientation = 1 } = metadata
  checkSize({ width, height })
  return {
    type,
    width,
    height,
    channels,
    bits: bitsOf(metadata),
    isProgressive,
    isTurned: orientation > 1,
    heldBytes,
  }
}

function bitsOf({ depth }: Metadata): number {
  return depth === 'uchar' ? 8 : 16
}

async function readWhole(path: string, fileBytes: number): Promise<Uint8Array> {
  await using file = await open(path, 'r')
  const bytes = await readPart(file, 0, fileBytes)
  if (bytes.length !== fileBytes) throw refused(CUT_OFF)
  return bytes
}

async function readPart(file: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

function release({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
