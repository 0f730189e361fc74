/**
 * Reads one STEP file with occt-import-js, which is loaded here as a file of its own. A worker, because it takes seconds in
 * which nothing else happens; a new one for each file, because what it has taken of memory it never gives back. It is served
 * with a policy of its own (`STEP_WORKER_CSP`). Imports are types only: in development this is no module.
 */
import type { StepAnswer, StepColor, StepFailure, StepMesh, StepNode, StepOrder } from './step-messages.ts'

interface OcctMesh {
  readonly name: string
  readonly color?: StepColor
  readonly brep_faces: readonly {
    readonly first: number
    readonly last: number
    readonly color: StepColor | null
  }[]
  readonly attributes: {
    readonly position: { readonly array: readonly number[] }
    readonly normal?: { readonly array: readonly number[] }
  }
  readonly index: { readonly array: readonly number[] }
}

interface OcctResult {
  readonly success: boolean
  readonly root: StepNode
  readonly meshes: readonly OcctMesh[]
}

interface Occt {
  ReadStepFile(file: Uint8Array, options: { readonly linearUnit: 'millimeter' }): OcctResult
}

interface Scope {
  addEventListener(type: 'message', listener: (event: MessageEvent<StepOrder>) => void): void
  importScripts(address: string): void
  postMessage(answer: StepAnswer, transfer: ArrayBuffer[]): void
  occtimportjs?(options: object): Promise<Occt>
}

const scope = globalThis as unknown as Scope
const WASM_PAGE_BYTES = 65_536
/** Linear, as the library's own colors are. */
const GRAY: StepColor = [0.456, 0.491, 0.552]
let isOutOfMemory = false

scope.addEventListener('message', ({ data }) => {
  void answer(data).then((said) =>
    scope.postMessage(said, said.status === 'read' ? buffersOf(said.meshes) : []),
  )
})

async function answer(order: StepOrder): Promise<StepAnswer> {
  limitMemory(order.limits.memoryBytes)
  let occt: Occt | undefined
  try {
    scope.importScripts(order.library)
    const quiet = () => {}
    occt = await scope.occtimportjs?.({ wasmBinary: order.wasm, print: quiet, printErr: quiet })
  } catch {
    return failed(isOutOfMemory ? 'memory' : 'library')
  }
  if (occt === undefined) return failed('library')
  try {
    return within(order, occt.ReadStepFile(order.file, { linearUnit: 'millimeter' }))
  } catch {
    return failed(isOutOfMemory ? 'memory' : 'unreadable')
  }
}

const failed = (reason: StepFailure): StepAnswer => ({ status: 'failed', reason })

/** The library itself would take 2 GiB, and a browser's tab ends before that. */
function limitMemory(most: number): void {
  const { prototype } = WebAssembly.Memory
  // oxlint-disable-next-line typescript/unbound-method -- called with what it belongs to
  const { grow } = prototype
  prototype.grow = function growWithin(this: WebAssembly.Memory, pages: number) {
    if (this.buffer.byteLength + pages * WASM_PAGE_BYTES > most) {
      isOutOfMemory = true
      throw new RangeError('no more memory')
    }
    return grow.call(this, pages)
  }
}

function within({ limits }: StepOrder, result: OcctResult): StepAnswer {
  if (!result.success) return failed(isOutOfMemory ? 'memory' : 'unreadable')
  const corners = result.meshes.reduce((sum, { index }) => sum + index.array.length, 0)
  const parts = countNodes(result.root, limits.parts) + result.meshes.length
  if (corners > limits.triangles * 3 || parts > limits.parts) return failed('tooDetailed')
  return { status: 'read', root: result.root, meshes: result.meshes.map(packed) }
}

function countNodes(root: StepNode, most: number): number {
  const open = [root]
  let count = 0
  for (let node = open.pop(); node !== undefined && count <= most; node = open.pop()) {
    count += 1
    open.push(...node.children)
  }
  return count
}

function packed({ name, color, brep_faces: faces, attributes, index }: OcctMesh): StepMesh {
  const positions = Float32Array.from(attributes.position.array)
  const normals = attributes.normal === undefined ? undefined : Float32Array.from(attributes.normal.array)
  return {
    name,
    positions,
    normals,
    index: Uint32Array.from(index.array),
    color,
    colors: faces.some((face) => face.color !== null)
      ? colorsOf({ faces, index: index.array, corners: positions.length / 3, fallback: color ?? GRAY })
      : undefined,
  }
}

interface Colored {
  readonly faces: OcctMesh['brep_faces']
  readonly index: readonly number[]
  readonly corners: number
  readonly fallback: StepColor
}

/** Faces share no corners, so that the color of a corner is that of its face. */
function colorsOf({ faces, index, corners, fallback }: Colored): Float32Array<ArrayBuffer> {
  const colors = new Float32Array(corners * 3)
  for (let corner = 0; corner < corners; corner += 1) colors.set(fallback, corner * 3)
  for (const { first, last, color } of faces) {
    if (color === null) continue
    for (let place = first * 3; place < (last + 1) * 3; place += 1) colors.set(color, (index[place] ?? 0) * 3)
  }
  return colors
}

function buffersOf(meshes: readonly StepMesh[]): ArrayBuffer[] {
  return meshes.flatMap(({ positions, normals, index, colors }) =>
    [positions, normals, index, colors].flatMap((array) => array?.buffer ?? []),
  )
}
