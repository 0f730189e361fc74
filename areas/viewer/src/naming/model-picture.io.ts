import { readFile } from 'node:fs/promises'
import { decodePng, requirePng } from './plain-png.io.ts'
import type { ModelPicture } from './question.ts'

/** Providers take 5 MB of base64, which is a third longer than what it holds. */
const SENT_BYTES = 3_500_000
const SENT_SIDE = 1568

export async function pictureForModel(file: string): Promise<ModelPicture> {
  const size = await requirePng(file)
  if (size <= SENT_BYTES) return { mediaType: 'image/png', base64: await readFile(file, 'base64') }
  const smaller = await decodePng(file)
    .resize({ width: SENT_SIDE, height: SENT_SIDE, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 80 })
    .toBuffer()
  return { mediaType: 'image/jpeg', base64: smaller.toString('base64') }
}
