import { Box3, InstancedMesh, type Material, Mesh, type Object3D, Texture, Vector3 } from 'three'
import { toFileAxes } from './file-axes.ts'
import { words } from './words.ts'

interface Measured {
  readonly triangles: number
  readonly texturePixels: number
  /** In meters, as glTF has it, along the axes of the file. */
  readonly size: Vector3
}

export interface ModelFacts extends Measured {
  /** Whether up is Z in the file; in the view it is Y. */
  readonly isZUp: boolean
  /** Whether the file names no unit. */
  readonly isUnitAssumed: boolean
}

export function measureModel(object: Object3D, isZUp = false): Measured {
  let triangles = 0
  object.traverse((part) => {
    if (!(part instanceof Mesh)) return
    const { index, attributes } = (part as Mesh).geometry
    const corners = index?.count ?? attributes['position']?.count ?? 0
    triangles += Math.floor(corners / 3) * (part instanceof InstancedMesh ? part.count : 1)
  })
  const texturePixels = texturesOf(object).reduce((sum, { image }) => sum + pixelsOf(image), 0)
  return { triangles, texturePixels, size: sizeOf(object, isZUp) }
}

export function sizeOf(object: Object3D, isZUp: boolean): Vector3 {
  const { x, y, z } = toFileAxes(new Box3().setFromObject(object).getSize(new Vector3()), isZUp)
  return new Vector3(Math.abs(x), Math.abs(y), Math.abs(z))
}

function pixelsOf(image: unknown): number {
  const { width = 0, height = 0 } = (image ?? {}) as { width?: number; height?: number }
  return width * height
}

export function materialsOf(object: Object3D): Material[] {
  const materials = new Set<Material>()
  object.traverse((part) => {
    const { material } = part as Partial<Mesh>
    for (const one of Array.isArray(material) ? material : [material])
      if (one !== undefined) materials.add(one)
  })
  return [...materials]
}

export function texturesOf(object: Object3D): Texture[] {
  const values = materialsOf(object).flatMap((material) => Object.values(material) as unknown[])
  return [...new Set(values.filter((value) => value instanceof Texture))]
}

/** Three digits that matter, as people write lengths: those of a board are millimeters. */
export function sizeInWords({ x, y, z }: Vector3): string {
  const { unit, write } = lengthFormat(Math.max(x, y, z), { maximumSignificantDigits: 3 })
  return `${[x, y, z].map(write).join(' × ')} ${unit}`
}

/** With how far it is along each axis of the file, to a thousandth of a millimeter. */
export function distanceInWords(from: Vector3, to: Vector3, isZUp: boolean): string {
  const { x, y, z } = toFileAxes(to.clone().sub(from), isZUp)
  const distance = from.distanceTo(to)
  const { unit, write } = lengthFormat(distance, { maximumFractionDigits: distance < 1 ? 3 : 6 })
  const along = [x, y, z].map((length) => write(Math.abs(length)))
  return words.measure.distance(`${write(distance)} ${unit}`, along)
}

/** How to write lengths, given in meters, beside one of this length. */
function lengthFormat(length: number, digits: Intl.NumberFormatOptions) {
  const [scale, unit] = length < 1 ? [1000, words.units.millimeters] : [1, words.units.meters]
  const number = new Intl.NumberFormat('en', digits)
  return { unit, write: (meters: number) => number.format(meters * scale) }
}
