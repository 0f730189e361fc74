import { Box3, InstancedMesh, type Material, Mesh, type Object3D, Texture, Vector3 } from 'three'
import { words } from './words.ts'

export interface ModelFacts {
  readonly triangles: number
  readonly texturePixels: number
  /** In metres, as glTF has it. */
  readonly size: Vector3
}

export function measureModel(object: Object3D): ModelFacts {
  let triangles = 0
  object.traverse((part) => {
    if (!(part instanceof Mesh)) return
    const { index, attributes } = (part as Mesh).geometry
    const corners = index?.count ?? attributes['position']?.count ?? 0
    triangles += Math.floor(corners / 3) * (part instanceof InstancedMesh ? part.count : 1)
  })
  const texturePixels = texturesOf(object).reduce((sum, { image }) => sum + pixelsOf(image), 0)
  const size = new Box3().setFromObject(object).getSize(new Vector3())
  return { triangles, texturePixels, size }
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
  const [scale, unit] = Math.max(x, y, z) < 1 ? [1000, words.units.millimeters] : [1, words.units.meters]
  const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
  return `${[x, y, z].map((length) => number.format(length * scale)).join(' × ')} ${unit}`
}
