import { UserError } from '../../../errors/user-error.ts'
import type { GltfDocument } from './model-limits.ts'
import { words } from './words.ts'

const MAGIC = 0x46546c67
const JSON_CHUNK = 0x4e4f534a
const BINARY_CHUNK = 0x004e4942
const MOST_CHUNKS = 64

interface Container {
  readonly document: GltfDocument
  readonly binary: Uint8Array | undefined
}

/** Takes a binary glTF file apart, or reads one that is plain JSON. */
export function readContainer(bytes: Uint8Array): Container {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isBinary = bytes.byteLength >= 12 && view.getUint32(0, true) === MAGIC
  const container = isBinary ? readChunks(bytes, view) : { document: readJson(bytes), binary: undefined }
  if (container.document.asset?.version?.startsWith('2.') !== true)
    throw new UserError(words.version.title, words.version.text)
  return container
}

function readChunks(bytes: Uint8Array, view: DataView): Container {
  const chunks = new Map<number, Uint8Array>()
  let offset = 12
  for (let count = 0; count < MOST_CHUNKS && offset + 8 <= bytes.byteLength; count += 1) {
    const length = view.getUint32(offset, true)
    const type = view.getUint32(offset + 4, true)
    if (offset + 8 + length > bytes.byteLength) throw new UserError(words.damaged.title, words.damaged.cutOff)
    if (!chunks.has(type)) chunks.set(type, bytes.subarray(offset + 8, offset + 8 + length))
    offset += 8 + length
  }
  const json = chunks.get(JSON_CHUNK)
  if (json === undefined) throw noModel()
  return { document: readJson(json), binary: chunks.get(BINARY_CHUNK) }
}

function readJson(bytes: Uint8Array): GltfDocument {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof value === 'object' && value !== null && 'asset' in value) return value as GltfDocument
  } catch {
    // Told below, as any other file that is none.
  }
  throw noModel()
}

function noModel(): UserError {
  return new UserError(words.noModel.title, words.noModel.text)
}
