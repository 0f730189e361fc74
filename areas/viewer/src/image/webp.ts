import { fourLetters, type ReadAt, viewOf } from './read-at.ts'
import { refused } from './refused.ts'

const MAX_CHUNKS = 4096
const FILE_HEADER = 12
const CHUNK_HEADER = 8

/**
 * Counts the parts of a WebP file. The time that the decoder takes to find the first frame grows with the square of their
 * number, where no deadline can interrupt it: 32 MB of empty frames take minutes.
 */
export async function checkWebp(readAt: ReadAt, fileBytes: number): Promise<void> {
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
