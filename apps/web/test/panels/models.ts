import { crc32, deflateSync } from 'node:zlib'

type Document = Record<string, unknown>

/** Six sides of a cube of one metre, each with four corners, so that each can have its own color. */
const SIDES = [
  { axis: 0, sign: 1, color: [1, 0, 0] },
  { axis: 0, sign: -1, color: [0, 1, 1] },
  { axis: 1, sign: 1, color: [0, 1, 0] },
  { axis: 1, sign: -1, color: [1, 0, 1] },
  { axis: 2, sign: 1, color: [0, 0, 1] },
  { axis: 2, sign: -1, color: [1, 1, 0] },
] as const

function corners() {
  const positions: number[] = []
  const colors: number[] = []
  const places: number[] = []
  const indices: number[] = []
  for (const { axis, sign, color } of SIDES) {
    const first = positions.length / 3
    for (const [u, v] of [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ] as const) {
      const point = [0, 0, 0]
      point[axis] = sign / 2
      point[(axis + 1) % 3] = u - 0.5
      point[(axis + 2) % 3] = v - 0.5
      positions.push(...point)
      colors.push(...color)
      places.push(u, v)
    }
    const order = sign > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2]
    indices.push(...order.map((corner) => first + corner))
  }
  return { positions, colors, places, indices }
}

export interface CubeOptions {
  /** A picture for every side, as a PNG; without it each side has its own color. */
  readonly texture?: Buffer
  /** Laid over the document, to spoil it. */
  readonly over?: Document
}

interface Parts {
  readonly document: Document
  readonly binary: Buffer
}

function cubeParts({ texture, over = {} }: CubeOptions): Parts {
  const { positions, colors, places, indices } = corners()
  const pieces = [
    Buffer.from(new Float32Array(positions).buffer),
    Buffer.from(new Float32Array(colors).buffer),
    Buffer.from(new Float32Array(places).buffer),
    Buffer.from(new Uint16Array(indices).buffer),
    ...(texture === undefined ? [] : [texture]),
  ].map((piece) => Buffer.concat([piece, Buffer.alloc((4 - (piece.length % 4)) % 4)]))
  let offset = 0
  const bufferViews = pieces.map((piece) => {
    const view = { buffer: 0, byteOffset: offset, byteLength: piece.length }
    offset += piece.length
    return view
  })
  const float = { componentType: 5126, count: positions.length / 3 }
  const surface =
    texture === undefined
      ? { pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 1 } }
      : { pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 1, baseColorTexture: { index: 0 } } }
  const document = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [
      {
        primitives: [
          {
            attributes: { POSITION: 0, ...(texture === undefined ? { COLOR_0: 1 } : { TEXCOORD_0: 2 }) },
            indices: 3,
            material: 0,
          },
        ],
      },
    ],
    materials: [surface],
    accessors: [
      { bufferView: 0, type: 'VEC3', ...float, min: [-0.5, -0.5, -0.5], max: [0.5, 0.5, 0.5] },
      { bufferView: 1, type: 'VEC3', ...float },
      { bufferView: 2, type: 'VEC2', ...float },
      { bufferView: 3, type: 'SCALAR', componentType: 5123, count: indices.length },
    ],
    bufferViews,
    buffers: [{ byteLength: offset }],
    ...(texture === undefined
      ? {}
      : { images: [{ bufferView: 4, mimeType: 'image/png' }], textures: [{ source: 0 }] }),
    ...over,
  }
  return { document, binary: Buffer.concat(pieces) }
}

function chunk(type: number, content: Buffer, filler: string): Buffer {
  const padded = Buffer.concat([content, Buffer.alloc((4 - (content.length % 4)) % 4, filler)])
  const head = Buffer.alloc(8)
  head.writeUInt32LE(padded.length, 0)
  head.writeUInt32LE(type, 4)
  return Buffer.concat([head, padded])
}

/** A cube as a binary glTF file. */
export function cubeGlb(options: CubeOptions = {}): Buffer {
  const { document, binary } = cubeParts(options)
  const body = Buffer.concat([
    chunk(0x4e4f534a, Buffer.from(JSON.stringify(document)), ' '),
    chunk(0x004e4942, binary, '\0'),
  ])
  const head = Buffer.alloc(12)
  head.write('glTF', 0)
  head.writeUInt32LE(2, 4)
  head.writeUInt32LE(12 + body.length, 8)
  return Buffer.concat([head, body])
}

/** The same cube as JSON, with its data inside as data addresses. */
export function cubeGltf(options: CubeOptions = {}): Buffer {
  const { document, binary } = cubeParts(options)
  const uri = `data:application/octet-stream;base64,${binary.toString('base64')}`
  const buffers = [{ byteLength: binary.length, uri }]
  return Buffer.from(JSON.stringify({ buffers, ...document, ...(options.over ?? { buffers }) }))
}

/** A picture of one color. */
export function plainPng(
  width: number,
  height: number,
  [red, green, blue]: readonly [number, number, number],
) {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from([red, green, blue]))])
  const piece = (type: string, content: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), content])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(content.length, 0)
    frame.writeUInt32BE(crc32(named), 4)
    return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    piece('IHDR', header),
    piece('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    piece('IEND', Buffer.alloc(0)),
  ])
}

const CLAIMS = [{ bufferView: 0, type: 'VEC3', componentType: 5126, count: 4_000_000_000 }]
const CYCLE = [{ mesh: 0, children: [1] }, { children: [2] }, { children: [1] }]

/** Files that cannot be shown, and as what they are refused. */
export const REFUSED: readonly (readonly [name: string, file: Buffer, title: string])[] = [
  ['no model', Buffer.from('solid cube'), 'This is no 3D model'],
  ['version 1', Buffer.from('{"asset":{"version":"1.0"}}'), 'This version of glTF cannot be shown'],
  ['half a file', cubeGlb().subarray(0, 900), 'The model is damaged'],
  [
    'data beside the file',
    cubeGlb({ over: { buffers: [{ uri: 'cube.bin', byteLength: 4 }] } }),
    'The model needs other files',
  ],
  [
    'a picture beside the file',
    cubeGlb({ over: { images: [{ uri: 'https://evil.example/x.png' }] } }),
    'The model needs other files',
  ],
  [
    'compressed corners',
    cubeGlb({ over: { extensionsUsed: ['KHR_draco_mesh_compression'] } }),
    'Compressed models cannot be shown',
  ],
  [
    'compressed pictures',
    cubeGlb({ over: { extensionsRequired: ['KHR_texture_basisu'] } }),
    'Compressed models cannot be shown',
  ],
  ['a claim of many values', cubeGlb({ over: { accessors: CLAIMS } }), 'The model is too detailed'],
  [
    'many parts',
    cubeGlb({ over: { nodes: Array.from({ length: 50_001 }, () => ({})) } }),
    'The model is too detailed',
  ],
  ['parts that hold each other', cubeGlb({ over: { nodes: CYCLE } }), 'The model is damaged'],
  ['a part that is not there', cubeGlb({ over: { scenes: [{ nodes: [7] }] } }), 'The model is damaged'],
  [
    'data that is none',
    cubeGltf({ over: { buffers: [{ byteLength: 4, uri: 'data:,%%%' }] } }),
    'The model is damaged',
  ],
]
