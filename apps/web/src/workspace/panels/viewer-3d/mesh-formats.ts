import {
  type BufferGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  Points,
  PointsMaterial,
} from 'three'
import { UserError } from '../../../errors/user-error.ts'
import { words } from './words.ts'

interface Format {
  readonly read: (bytes: Uint8Array, signal: AbortSignal) => Promise<Object3D>
  /** In the tools that write such files; here Y is. */
  readonly isZUp?: boolean
  readonly hasUnit?: boolean
}

const STEP: Format = { read: readStep, isZUp: true, hasUnit: true }
/** By the endings of file names. What has none of these is read as glTF. */
const FORMATS: Readonly<Record<string, Format>> = {
  stl: { read: readStl, isZUp: true },
  obj: { read: readObj },
  ply: { read: readPly },
  step: STEP,
  stp: STEP,
}

export const MODEL_ENDINGS = ['glb', 'gltf', ...Object.keys(FORMATS)]
/** Text is read in one go, during which the page does nothing else. */
const LARGEST_TEXT_BYTES = 32 * 1024 * 1024
const LONGEST_HEAD = 65_536
const STL_HEAD = 84
const GRAY = 0xb4bac4

export function meshFormatOf(name: string): Format | undefined {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(FORMATS, ending) ? FORMATS[ending] : undefined
}

export const isStep = (name: string) => meshFormatOf(name) === STEP

/** A model in millimeters: STEP files say so, and tools write them where a file names no unit. */
export async function readMesh(
  { read, isZUp = false }: Format,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<Object3D> {
  try {
    const model = new Group()
    model.add(await read(bytes, signal))
    model.scale.setScalar(0.001)
    if (isZUp) model.rotation.x = -Math.PI / 2
    return model
  } catch (error) {
    if (error instanceof UserError || signal.aborted) throw error
    throw new UserError(words.damaged.title, words.damaged.parts, error)
  }
}

async function readStl(bytes: Uint8Array): Promise<Object3D> {
  const { STLLoader } = await import('three/addons/loaders/STLLoader.js')
  // Shorter than one triangle, as text or not.
  if (bytes.byteLength < STL_HEAD) throw noModel()
  if (isText(bytes)) requireShort(bytes)
  return drawn(new STLLoader().parse(bufferOf(bytes)))
}

async function readStep(bytes: Uint8Array, signal: AbortSignal): Promise<Object3D> {
  const step = await import('./step-file.ts')
  return await step.readStep(bytes, signal)
}

async function readPly(bytes: Uint8Array): Promise<Object3D> {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, LONGEST_HEAD))
  if (!head.startsWith('ply')) throw noModel()
  // Of each element there is a byte at least: a few letters could otherwise keep the page busy for hours.
  const claimed = [...head.matchAll(/^element \w+ (\d+)/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  )
  if (claimed > bytes.byteLength) throw new UserError(words.damaged.title, words.damaged.cutOff)
  if (/^format ascii/m.test(head)) requireShort(bytes)
  const { PLYLoader } = await import('three/addons/loaders/PLYLoader.js')
  const geometry = new PLYLoader().parse(bufferOf(bytes))
  if (geometry.index !== null) return drawn(geometry)
  requireCorners(geometry)
  const hasColors = geometry.hasAttribute('color')
  const look = { size: 2, sizeAttenuation: false, vertexColors: hasColors }
  return new Points(geometry, new PointsMaterial({ ...look, ...(hasColors ? {} : { color: GRAY }) }))
}

async function readObj(bytes: Uint8Array): Promise<Object3D> {
  requireShort(bytes)
  const text = new TextDecoder().decode(bytes)
  if (!/^\s*v\s/m.test(text)) throw noModel()
  const { OBJLoader } = await import('three/addons/loaders/OBJLoader.js')
  const object = new OBJLoader().parse(text)
  let parts = 0
  object.traverse((part) => {
    if (!(part instanceof Mesh)) return
    parts += 1
    // What its materials are stands in another file.
    part.material = materialFor((part as Mesh).geometry)
  })
  if (parts === 0) throw noModel()
  return object
}

function drawn(geometry: BufferGeometry): Mesh {
  requireCorners(geometry)
  if (!geometry.hasAttribute('normal')) geometry.computeVertexNormals()
  return new Mesh(geometry, materialFor(geometry))
}

function materialFor(geometry: BufferGeometry): MeshStandardMaterial {
  const hasColors = geometry.hasAttribute('color')
  return new MeshStandardMaterial({
    side: DoubleSide,
    roughness: 0.7,
    vertexColors: hasColors,
    ...(hasColors ? {} : { color: GRAY }),
  })
}

function requireCorners(geometry: BufferGeometry): void {
  if ((geometry.getAttribute('position')?.count ?? 0) === 0) throw noModel()
}

function requireShort(bytes: Uint8Array): void {
  if (bytes.byteLength > LARGEST_TEXT_BYTES) throw new UserError(words.tooLarge.title, words.tooLarge.asText)
}

/** Of an STL file; a binary one says how many triangles it has, of 50 bytes each. */
function isText(bytes: Uint8Array): boolean {
  const count = new DataView(bytes.buffer, bytes.byteOffset).getUint32(80, true)
  return bytes.byteLength !== STL_HEAD + count * 50
}

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return bytes.slice().buffer
}

function noModel(): UserError {
  return new UserError(words.noModel.title, words.noModel.text)
}
