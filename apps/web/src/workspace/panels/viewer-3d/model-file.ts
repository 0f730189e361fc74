import { UserError } from '../../../errors/user-error.ts'
import { readContainer } from './model-container.ts'
import { checkContent, type GltfDocument } from './model-limits.ts'
import { words } from './words.ts'

export const LARGEST_MODEL_BYTES = 64 * 1024 * 1024

/** A glTF document with everything that it refers to. */
export interface ModelFile {
  readonly document: GltfDocument
  readonly buffers: readonly Uint8Array[]
}

export function requireSmall({ byteLength }: Pick<Uint8Array, 'byteLength'>): void {
  if (byteLength > LARGEST_MODEL_BYTES) throw new UserError(words.tooLarge.title, words.tooLarge.text)
}

/** Reads a `.glb` or `.gltf` file. Throws why it cannot be shown, in words. */
export function readModelFile(bytes: Uint8Array): ModelFile {
  requireSmall(bytes)
  const { document, binary } = readContainer(bytes)
  checkContent(document)
  const buffers = (document.buffers ?? []).map(({ uri }, place) => {
    if (uri !== undefined) return fromDataUri(uri)
    if (place === 0 && binary !== undefined) return binary
    throw new UserError(words.incomplete.title, words.incomplete.text)
  })
  for (const { buffer, byteOffset = 0, byteLength } of document.bufferViews ?? []) {
    if (byteOffset + byteLength > (buffers[buffer]?.byteLength ?? 0))
      throw new UserError(words.damaged.title, words.damaged.cutOff)
  }
  return { document, buffers }
}

/** Decoded here: the policy lets no page fetch a data address, which the loader would do. */
function fromDataUri(uri: string): Uint8Array {
  const encoded = /^data:[^,]*;base64,(.*)$/s.exec(uri)?.[1]
  try {
    if (encoded !== undefined) return Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0))
  } catch {
    // Told below, as any other data that cannot be read.
  }
  throw new UserError(words.damaged.title, words.damaged.encoding)
}
