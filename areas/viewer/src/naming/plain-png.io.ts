import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { PASTE_LIMITS } from '@patchbay/contracts/limits'
import sharp, { type Sharp } from 'sharp'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
// Windows has neither. A pipe in the place of a file would be waited for in vain.
const NO_LINK = (constants.O_NOFOLLOW as number | undefined) ?? 0
const NO_WAITING = (constants.O_NONBLOCK as number | undefined) ?? 0

/**
 * Says how many bytes it has. A project may bring files under the names of pastes that were never taken in: what is no PNG
 * must meet none of the other decoders, which run in this process here, and must not be sent to a model.
 */
export async function requirePng(file: string): Promise<number> {
  await using handle = await open(file, constants.O_RDONLY | NO_LINK | NO_WAITING).catch((cause: unknown) => {
    throw new Error('no plain PNG', { cause })
  })
  const stats = await handle.stat()
  const { buffer } = await handle.read(Buffer.alloc(SIGNATURE.length), 0, SIGNATURE.length, 0)
  if (!stats.isFile() || !buffer.equals(SIGNATURE)) throw new Error('no plain PNG')
  return stats.size
}

/** Only after `requirePng`. */
export function decodePng(file: string): Sharp {
  return sharp(file, { limitInputPixels: PASTE_LIMITS.pixels })
}
