/** What the worker that reads STEP files is given. */
export interface StepOrder {
  /** Address of the library's script. */
  readonly library: string
  readonly wasm: ArrayBuffer
  readonly file: Uint8Array
  readonly limits: { readonly memoryBytes: number; readonly triangles: number; readonly parts: number }
}

export type StepColor = readonly [red: number, green: number, blue: number]

/** Lengths in millimeters, colors linear. */
export interface StepMesh {
  readonly name: string
  readonly positions: Float32Array<ArrayBuffer>
  readonly normals: Float32Array<ArrayBuffer> | undefined
  readonly index: Uint32Array<ArrayBuffer>
  readonly color: StepColor | undefined
  /** Of each corner, where faces have colors of their own. */
  readonly colors: Float32Array<ArrayBuffer> | undefined
}

export interface StepNode {
  readonly name: string
  readonly meshes: readonly number[]
  readonly children: readonly StepNode[]
}

/** `library`: it could not be loaded. `memory`: the file needs more than it may have. */
export type StepFailure = 'library' | 'memory' | 'tooDetailed' | 'unreadable'

export type StepAnswer =
  | { readonly status: 'read'; readonly root: StepNode; readonly meshes: readonly StepMesh[] }
  | { readonly status: 'failed'; readonly reason: StepFailure }
