import { UserError } from '../../../errors/user-error.ts'
import { words } from './words.ts'

/** The parts of a glTF document that decide whether it can be shown. */
export interface GltfDocument {
  readonly asset?: { readonly version?: string }
  readonly buffers?: readonly { readonly uri?: string }[]
  readonly bufferViews?: readonly {
    readonly buffer: number
    readonly byteOffset?: number
    readonly byteLength: number
  }[]
  readonly images?: readonly { readonly uri?: string }[]
  readonly accessors?: readonly { readonly count: number }[]
  readonly nodes?: readonly unknown[]
  readonly extensionsUsed?: readonly string[]
  readonly extensionsRequired?: readonly string[]
}

/** More than any model that a browser turns smoothly; a few bytes of a file can claim any number. */
const MOST = { values: 20_000_000, nodes: 50_000, images: 200 }
export const MOST_TRIANGLES = 10_000_000
export const MOST_TEXTURE_PIXELS = 128 * 1024 * 1024

/** Their decoders are not part of the app: they would need to compile code that comes with them. */
const COMPRESSIONS = [
  { pattern: /draco/i, name: 'Draco' },
  { pattern: /meshopt/i, name: 'meshopt' },
  { pattern: /basisu/i, name: 'KTX 2' },
]

/** Throws why a document cannot be shown. */
export function checkContent(document: GltfDocument): void {
  const extensions = [...(document.extensionsUsed ?? []), ...(document.extensionsRequired ?? [])]
  const compression = COMPRESSIONS.find(({ pattern }) => extensions.some((name) => pattern.test(name)))
  if (compression !== undefined)
    throw new UserError(words.compressed.title, words.compressed.text(compression.name))
  const beside = [...(document.buffers ?? []), ...(document.images ?? [])].find(
    ({ uri }) => uri !== undefined && !uri.startsWith('data:'),
  )?.uri
  if (beside !== undefined)
    throw new UserError(words.needsFiles.title, words.needsFiles.text(beside.slice(0, 100)))
  const values = (document.accessors ?? []).reduce((sum, { count }) => sum + count, 0)
  const isTooMuch =
    !(values <= MOST.values) ||
    (document.nodes?.length ?? 0) > MOST.nodes ||
    (document.images?.length ?? 0) > MOST.images
  if (isTooMuch) throw tooDetailed()
}

export function tooDetailed(): UserError {
  return new UserError(words.tooDetailed.title, words.tooDetailed.text)
}
