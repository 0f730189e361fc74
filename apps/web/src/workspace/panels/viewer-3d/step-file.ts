import kernelLicense from 'occt-import-js/dist/license.occt.txt?url'
import libraryLicense from 'occt-import-js/dist/license.occt-import-js.txt?url'
import library from 'occt-import-js/dist/occt-import-js.js?url'
import wasm from 'occt-import-js/dist/occt-import-js.wasm?url'
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
} from 'three'
import { UserError } from '../../../errors/user-error.ts'
import { MOST_PARTS, MOST_TRIANGLES, tooDetailed } from './model-limits.ts'
import type { StepAnswer, StepFailure, StepMesh, StepNode, StepOrder } from './step-messages.ts'
import { words } from './words.ts'

const MAGIC = 'ISO-10303-21;'
const END = 'END-ISO-10303-21;'
/** Around the file's own text there may be a byte order mark and comments, and signatures after it. */
const LONGEST_MARGIN = 65_536
const LARGEST_BYTES = 32 * 1024 * 1024
const MEMORY_BYTES = 1024 * 1024 * 1024
const FETCH_MS = 60_000
const READ_MS = 60_000

/** Under which licenses the library stands that reads STEP files: they are served beside it. */
export const STEP_LICENSES = { kernel: kernelLicense, library: libraryLicense }

/** Reads a STEP file, in millimeters. Ends at once when `signal` says so. */
export async function readStep(bytes: Uint8Array, signal: AbortSignal): Promise<Object3D> {
  requireStep(bytes)
  const response = await fetch(wasm, { signal: AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)]) })
  if (!response.ok) throw new Error(`${wasm}: ${response.status}`)
  const { root, meshes } = await convert(
    {
      library: new URL(library, location.href).href,
      wasm: await response.arrayBuffer(),
      file: bytes,
      limits: { memoryBytes: MEMORY_BYTES, triangles: MOST_TRIANGLES, parts: MOST_PARTS },
    },
    signal,
  )
  if (meshes.length === 0) throw new UserError(words.empty.title, words.empty.step)
  return objectOf(root, meshes)
}

function requireStep(bytes: Uint8Array): void {
  if (bytes.byteLength > LARGEST_BYTES) throw new UserError(words.tooLarge.title, words.tooLarge.step)
  const text = new TextDecoder('latin1')
  if (!text.decode(bytes.subarray(0, LONGEST_MARGIN)).includes(MAGIC))
    throw new UserError(words.noModel.title, words.noModel.text)
  if (!text.decode(bytes.subarray(-LONGEST_MARGIN)).includes(END))
    throw new UserError(words.damaged.title, words.damaged.cutOff)
}

type Converted = Extract<StepAnswer, { status: 'read' }>

async function convert(order: StepOrder, signal: AbortSignal): Promise<Converted> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./step-worker.ts', import.meta.url))
  const { promise, resolve, reject } = Promise.withResolvers<StepAnswer>()
  const timer = setTimeout(() => reject(new UserError(words.tooSlow.title, words.tooSlow.text)), READ_MS)
  const giveUp = () => reject(signal.reason as Error)
  signal.addEventListener('abort', giveUp)
  worker.addEventListener('message', ({ data }: MessageEvent<StepAnswer>) => resolve(data))
  worker.addEventListener('error', (event) => {
    event.preventDefault()
    resolve({ status: 'failed', reason: 'library' })
  })
  worker.postMessage(order, [order.wasm])
  try {
    const answer = await promise
    if (answer.status === 'failed') throw explained(answer.reason)
    return answer
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
    worker.terminate()
  }
}

function explained(reason: StepFailure): Error {
  if (reason === 'memory') return new UserError(words.tooLarge.title, words.tooLarge.memory)
  if (reason === 'tooDetailed') return tooDetailed()
  if (reason === 'unreadable') return new UserError(words.damaged.title, words.damaged.parts)
  return new UserError(words.noReader.title, words.noReader.text)
}

/** A node that is one thing becomes that thing; one that holds several is a group. */
function objectOf(node: StepNode, meshes: readonly StepMesh[]): Object3D {
  const inside = [
    ...node.meshes.flatMap((at) => (meshes[at] === undefined ? [] : meshOf(meshes[at]))),
    ...node.children.map((child) => objectOf(child, meshes)),
  ]
  const [only] = inside
  const isOne = only !== undefined && node.meshes.length === 1 && node.children.length === 0
  const object = isOne ? only : new Group()
  if (!isOne && inside.length > 0) object.add(...inside)
  if (node.name !== '') object.name = node.name
  return object
}

function meshOf({ name, positions, normals, index, color, colors }: StepMesh): Mesh {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(positions, 3))
  geometry.setIndex(new BufferAttribute(index, 1))
  if (colors !== undefined) geometry.setAttribute('color', new BufferAttribute(colors, 3))
  if (normals === undefined) geometry.computeVertexNormals()
  else geometry.setAttribute('normal', new BufferAttribute(normals, 3))
  const material = new MeshStandardMaterial({
    side: DoubleSide,
    roughness: 0.7,
    vertexColors: colors !== undefined,
  })
  if (colors === undefined) {
    if (color === undefined) material.color.set(0xb4bac4)
    else material.color.setRGB(...color)
  }
  const mesh = new Mesh(geometry, material)
  mesh.name = name
  return mesh
}
