/** A block of a color: where its middle is and how long its sides are, in millimeters. */
interface Block {
  readonly at: readonly [number, number, number]
  readonly size: readonly [number, number, number]
  readonly color: readonly [number, number, number]
}

const BOARD: readonly Block[] = [
  { at: [0, 0, 0], size: [42, 1.6, 42], color: [0.02, 0.2, 0.07] },
  { at: [0, 3, -4], size: [12, 4.4, 12], color: [0.9, 0.6, 0.06] },
  { at: [-11, 1.9, 12], size: [9, 2.2, 7], color: [0.02, 0.02, 0.025] },
  { at: [11, 1.6, 12], size: [7, 1.6, 7], color: [0.02, 0.02, 0.025] },
  { at: [0, 2.4, 18], size: [9, 3.2, 7], color: [0.55, 0.57, 0.6] },
  ...[-15, -12, -9, 9, 12, 15].map((x) => ({
    at: [x, 1.2, -14] as const,
    size: [1.6, 0.8, 3.2] as const,
    color: [0.75, 0.68, 0.5] as const,
  })),
]

/** The six sides of a block, four corners each, so that each side has its own normal. */
function cornersOf({ at, size }: Block) {
  const [positions, normals, indices]: [number[], number[], number[]] = [[], [], []]
  for (const axis of [0, 1, 2])
    for (const sign of [1, -1]) {
      const first = positions.length / 3
      for (const [u, v] of [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ] as const) {
        const corner = [0, 0, 0]
        corner[axis] = sign
        corner[(axis + 1) % 3] = u
        corner[(axis + 2) % 3] = v
        positions.push(...corner.map((side, of) => ((at[of] ?? 0) + (side * (size[of] ?? 0)) / 2) / 1000))
        normals.push(...[0, 1, 2].map((each) => (each === axis ? sign : 0)))
      }
      const order = sign > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2]
      indices.push(...order.map((corner) => first + corner))
    }
  return { positions, normals, indices }
}

/** A board with a lamp on it, as glTF with its data inside. */
export function boardModel(): string {
  const pieces: Buffer[] = []
  const [accessors, bufferViews]: [object[], object[]] = [[], []]
  const add = (values: Float32Array | Uint16Array, accessor: object) => {
    const byteOffset = pieces.reduce((sum, { length }) => sum + length, 0)
    bufferViews.push({ buffer: 0, byteOffset, byteLength: values.byteLength })
    pieces.push(Buffer.from(values.buffer))
    return accessors.push({ bufferView: bufferViews.length - 1, ...accessor }) - 1
  }
  const primitives = BOARD.map((block, material) => {
    const { positions, normals, indices } = cornersOf(block)
    const along = (of: number) => positions.filter((_value, at) => at % 3 === of)
    const vectors = { componentType: 5126, type: 'VEC3', count: positions.length / 3 }
    const min = [0, 1, 2].map((of) => Math.fround(Math.min(...along(of))))
    const max = [0, 1, 2].map((of) => Math.fround(Math.max(...along(of))))
    const POSITION = add(new Float32Array(positions), { ...vectors, min, max })
    const NORMAL = add(new Float32Array(normals), vectors)
    const scalars = { componentType: 5123, type: 'SCALAR', count: indices.length }
    return { attributes: { POSITION, NORMAL }, indices: add(new Uint16Array(indices), scalars), material }
  })
  const binary = Buffer.concat(pieces)
  return JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives }],
    materials: BOARD.map(({ color }) => ({
      pbrMetallicRoughness: { baseColorFactor: [...color, 1], metallicFactor: 0, roughnessFactor: 0.7 },
    })),
    accessors,
    bufferViews,
    buffers: [
      {
        byteLength: binary.length,
        uri: `data:application/octet-stream;base64,${binary.toString('base64')}`,
      },
    ],
  })
}
