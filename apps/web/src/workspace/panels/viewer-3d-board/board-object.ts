import type { BoardViolation } from '@patchbay/contracts/boards'
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Object3D,
} from 'three'
import { COMPONENTS_LAYER, isInner, layerColor, MASK_COLORS, namedColor } from './board-layers.ts'
import { CheckMarkers } from './check-markers.ts'
import type { BoardChanges } from './drawing/compare-boards.ts'
import type { BoardScene } from './drawing/draw-board.ts'
import type { FlatMesh } from './drawing/flat-mesh.ts'
import type { PlacedComponents } from './place-components.ts'

/** What of a board is to be seen. */
export interface BoardLook {
  readonly layers: ReadonlySet<string>
  readonly hiddenNets: ReadonlySet<number>
  /** The net that stands out. */
  readonly net: number | undefined
  /** The footprint that stands out. */
  readonly selected: number | undefined
}

const FR4 = new Color(0xb7a06a)
const COPPER = new Color(0xc08040)
const PLATED = new Color(0xd9b560)
const DRILLED = new Color(0x1a1c1f)
const NET = new Color(0xff3d7f)
const SELECTED = new Color(0xff8a1e)
const ADDED = new Color(0x2fd05a)
const REMOVED = new Color(0xf0323c)

/** In millimeters above the body, so that no layer lies in another. */
const ORDER: Readonly<Record<string, number>> = {
  Cu: 1,
  Mask: 2,
  Paste: 3,
  drilled: 3.5,
  SilkS: 4,
  Fab: 5,
  CrtYd: 6,
}
const STEP_MM = 0.012
/** Above pads and what is printed. */
const LIT_ORDER = 5
/** How far a part reaches that nobody has modeled. */
const PART_MM = 2

const notPicked = () => {}

/** A board as it stands on a stage: in meters, where KiCad puts it in its own exports, with the front up. */
export class BoardObject {
  readonly object = new Group()
  /** The board itself. */
  readonly core = new Group()
  readonly #scene: BoardScene
  readonly #layers = new Map<string, Mesh<BufferGeometry, MeshLambertMaterial>>()
  readonly #lit = new Map<string, readonly Mesh<BufferGeometry, MeshBasicMaterial>[]>()
  readonly #body: Mesh<BufferGeometry, MeshLambertMaterial>[]
  readonly #masks: Readonly<Record<'F' | 'B', Mesh<BufferGeometry, MeshLambertMaterial>>>
  readonly #drilled: readonly Object3D[]
  readonly #frame: LineSegments
  readonly #markers = new CheckMarkers()
  readonly #changes: Mesh<BufferGeometry, MeshBasicMaterial>[] = []
  #components: Object3D | undefined
  #parts: ReadonlyMap<string, Object3D> = new Map()

  constructor(scene: BoardScene) {
    this.#scene = scene
    this.object.scale.setScalar(0.001)
    const { thickness } = scene
    const sides = flat(
      scene.sides,
      new MeshLambertMaterial({ color: FR4, side: DoubleSide, flatShading: true }),
    )
    sides.scale.y = thickness
    const face = (isFront: boolean) => {
      const mesh = flat(scene.faces, materialAt(FR4, 0, isFront))
      mesh.position.y = isFront ? thickness : 0
      return mesh
    }
    this.#masks = { F: face(true), B: face(false) }
    this.#body = [sides, this.#masks.F, this.#masks.B]
    this.core.add(...this.#body)
    this.object.add(this.core)
    this.#drilled = [true, false].map((isFront) => {
      const mesh = flat(scene.drilled, materialAt(DRILLED, ORDER['drilled'] ?? 3, isFront))
      mesh.position.y = this.#heightOf(isFront ? 'F.drilled' : 'B.drilled')
      mesh.raycast = notPicked
      return mesh
    })
    this.object.add(...this.#drilled)
    for (const drawn of scene.meshes) {
      const mesh = flat(
        drawn,
        materialAt(layerColor(drawn.name, scene.finish), orderOf(drawn.name), !drawn.name.startsWith('B.')),
      )
      mesh.name = drawn.name
      mesh.position.y = this.#heightOf(drawn.name)
      mesh.raycast = notPicked
      this.#layers.set(drawn.name, mesh)
      this.object.add(mesh)
      if (!drawn.name.endsWith('.Cu')) continue
      // Where it lies, and faintly through everything else.
      const lit = [0.95, 0.16].map((opacity, at) => {
        const one = new Mesh(sharing(mesh.geometry), litMaterial(opacity, at === 0))
        one.position.copy(mesh.position)
        one.position.y += (drawn.name.startsWith('B.') ? -LIT_ORDER : LIT_ORDER) * STEP_MM
        one.renderOrder = 2
        one.raycast = notPicked
        return one
      })
      this.#lit.set(drawn.name, lit)
      this.object.add(...lit)
    }
    this.#frame = new LineSegments(
      new EdgesGeometry(new BoxGeometry(1, 1, 1)),
      new LineBasicMaterial({ color: SELECTED, depthTest: false, transparent: true }),
    )
    this.#frame.renderOrder = 3
    this.#frame.raycast = notPicked
    this.object.add(this.#frame, this.#markers.object)
  }

  setComponents({ object, parts }: PlacedComponents): void {
    this.#components?.removeFromParent()
    this.#components = object
    this.#parts = parts
    this.object.add(object)
  }

  /** Lays over the board what is different from a version before. */
  compare(changes: BoardChanges | undefined): void {
    for (const one of this.#changes.splice(0)) {
      one.removeFromParent()
      one.geometry.dispose()
      one.material.dispose()
    }
    for (const [meshes, color] of [
      [changes?.removed ?? [], REMOVED],
      [changes?.added ?? [], ADDED],
    ] as const)
      for (const drawn of meshes) {
        const mesh = flat(
          drawn,
          new MeshBasicMaterial({
            color,
            side: DoubleSide,
            transparent: true,
            opacity: 0.9,
            depthTest: false,
            depthWrite: false,
          }),
        )
        mesh.name = drawn.name
        mesh.position.y = this.#heightOf(drawn.name)
        mesh.renderOrder = 2
        mesh.raycast = notPicked
        this.#changes.push(mesh)
        this.object.add(mesh)
      }
  }

  /** Marks the places of these violations; above the board in millimeters. */
  mark(violations: readonly BoardViolation[], selected: number | undefined): void {
    this.#markers.set(violations, selected, this.#scene.thickness + PART_MM)
  }

  /** The footprint that an object of a component stands for. */
  referenceOf(object: Object3D): string | undefined {
    for (let at: Object3D | null = object; at !== null && at !== this.object; at = at.parent)
      for (const [reference, part] of this.#parts) if (part === at) return reference
    return undefined
  }

  /** What is not to be seen, and the component that stands out. */
  apply({ layers, hiddenNets, net, selected }: BoardLook): {
    readonly hidden: ReadonlySet<Object3D>
    readonly selected: Object3D | undefined
  } {
    const hidden = new Set<Object3D>()
    const showsInside = [...layers].some(isInner)
    const hasBody = layers.has('body')
    for (const mesh of this.#body) {
      const { material } = mesh
      // A ray still meets it where it is not drawn: what lies on it can be picked.
      material.visible = hasBody
      material.transparent = showsInside
      material.opacity = showsInside ? 0.25 : 1
      material.depthWrite = !showsInside
      material.needsUpdate = true
    }
    for (const side of ['F', 'B'] as const) {
      const isMasked = layers.has(`${side}.Mask`)
      const mask = namedColor(this.#scene.finish.mask, MASK_COLORS) ?? new Color(MASK_COLORS['green'])
      this.#masks[side].material.color.copy(isMasked ? mask : FR4)
      const under = isMasked ? mask.clone().lerp(new Color(0xd8e8c8), 0.24) : COPPER
      this.#layers.get(`${side}.Cu`)?.material.color.copy(under)
      this.#layers.get(`${side}.Mask`)?.material.color.copy(PLATED)
    }
    for (const [name, mesh] of this.#layers) {
      if (!layers.has(name)) hidden.add(mesh)
      setNets(mesh, this.#netsOf(name), (one) => !hiddenNets.has(one))
    }
    if (!layers.has('F.Cu') && !layers.has('F.Mask'))
      for (const one of this.#drilled.slice(0, 1)) hidden.add(one)
    if (!layers.has('B.Cu') && !layers.has('B.Mask'))
      for (const one of this.#drilled.slice(1)) hidden.add(one)
    for (const [name, meshes] of this.#lit)
      for (const mesh of meshes) {
        if (net === undefined) hidden.add(mesh)
        else setNets(mesh, this.#netsOf(name), (one) => one === net)
      }
    for (const mesh of this.#changes) if (!layers.has(mesh.name)) hidden.add(mesh)
    if (this.#components !== undefined && !layers.has(COMPONENTS_LAYER)) hidden.add(this.#components)
    const footprint = selected === undefined ? undefined : this.#scene.footprints[selected]
    if (footprint === undefined) hidden.add(this.#frame)
    else this.#frameAround(footprint)
    const part = footprint === undefined ? undefined : this.#parts.get(footprint.reference)
    return { hidden, selected: part }
  }

  #netsOf(layer: string): Uint32Array {
    return this.#scene.meshes.find(({ name }) => name === layer)?.nets ?? new Uint32Array()
  }

  #frameAround({ box: { min, max }, side }: BoardScene['footprints'][number]): void {
    const [width, depth] = [(max.x - min.x) / 1e6, (max.y - min.y) / 1e6]
    const { thickness } = this.#scene
    this.#frame.scale.set(Math.max(width, 0.2), PART_MM, Math.max(depth, 0.2))
    const height = side === 'front' ? thickness + PART_MM / 2 : -PART_MM / 2
    this.#frame.position.set(min.x / 1e6 + width / 2, height, min.y / 1e6 + depth / 2)
  }

  #heightOf(layer: string): number {
    const { thickness, layers } = this.#scene
    if (isInner(layer)) {
      const inner = layers.filter(({ name }) => isInner(name)).map(({ name }) => name)
      return thickness * (1 - (inner.indexOf(layer) + 1) / (inner.length + 1))
    }
    const above = orderOf(layer) * STEP_MM
    return layer.startsWith('B.') ? -above : thickness + above
  }
}

const orderOf = (layer: string) => ORDER[layer.split('.')[1] ?? ''] ?? 7

function litMaterial(opacity: number, isHere: boolean): MeshBasicMaterial {
  return new MeshBasicMaterial({
    color: NET,
    side: DoubleSide,
    transparent: true,
    opacity,
    depthTest: isHere,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: -LIT_ORDER * 0.5,
    polygonOffsetUnits: -LIT_ORDER * 4,
  })
}

function materialAt(color: Color, order: number, isFront: boolean): MeshLambertMaterial {
  const material = new MeshLambertMaterial({ color, side: DoubleSide, flatShading: true })
  // From afar a hundredth of a millimeter is nothing to the card.
  material.polygonOffset = order > 0
  material.polygonOffsetFactor = -order * 0.5
  material.polygonOffsetUnits = -order * 4
  material.name = isFront ? 'front' : 'back'
  return material
}

function flat<Kind extends Material>(
  { positions, index }: FlatMesh,
  material: Kind,
): Mesh<BufferGeometry, Kind> {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(positions, 3))
  geometry.setIndex(new BufferAttribute(index, 1))
  return new Mesh(geometry, material)
}

/** With a range of its own to draw, of the same corners. */
function sharing(whole: BufferGeometry): BufferGeometry {
  const geometry = new BufferGeometry()
  const positions = whole.getAttribute('position')
  geometry.setAttribute('position', positions)
  geometry.setIndex(whole.getIndex())
  return geometry
}

/** Draws those parts of a layer alone that belong to certain nets. */
function setNets(mesh: Mesh, nets: Uint32Array, isShown: (net: number) => boolean): void {
  const { geometry } = mesh
  const groups: { start: number; count: number }[] = []
  let isWhole = true
  for (let at = 0; at + 2 < nets.length; at += 3) {
    const [net = 0, start = 0, count = 0] = nets.subarray(at, at + 3)
    if (!isShown(net)) {
      isWhole = false
      continue
    }
    const before = groups.at(-1)
    if (before !== undefined && before.start + before.count === start) before.count += count
    else groups.push({ start, count })
  }
  geometry.clearGroups()
  const [only] = groups
  if (isWhole) geometry.setDrawRange(0, Number.POSITIVE_INFINITY)
  else if (groups.length <= 1) geometry.setDrawRange(only?.start ?? 0, only?.count ?? 0)
  else {
    geometry.setDrawRange(0, Number.POSITIVE_INFINITY)
    for (const { start, count } of groups) geometry.addGroup(start, count, 0)
  }
  const material = Array.isArray(mesh.material) ? mesh.material[0] : mesh.material
  if (material !== undefined) mesh.material = geometry.groups.length > 0 ? [material] : material
}
