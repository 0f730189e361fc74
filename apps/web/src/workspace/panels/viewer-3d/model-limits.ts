import type { Object3D } from 'three'
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
const MOST = { values: 20_000_000, images: 200 }
export const MOST_PARTS = 50_000
/** What goes through a model calls itself for each level. */
const DEEPEST = 200
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
    (document.nodes?.length ?? 0) > MOST_PARTS ||
    (document.images?.length ?? 0) > MOST.images
  if (isTooMuch) throw tooDetailed()
}

/** Throws for a model of more parts, or more levels of them, than can be gone through. */
export function checkParts(model: Object3D): void {
  const open = [{ object: model, level: 0 }]
  let count = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { object, level } = next
    count += 1
    if (count > MOST_PARTS || level > DEEPEST) throw tooDetailed()
    for (const child of object.children) open.push({ object: child, level: level + 1 })
  }
}

export function tooDetailed(): UserError {
  return new UserError(words.tooDetailed.title, words.tooDetailed.text)
}
