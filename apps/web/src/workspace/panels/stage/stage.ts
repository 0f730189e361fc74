import {
  Box3,
  DirectionalLight,
  HemisphereLight,
  InstancedMesh,
  type Mesh,
  type Object3D,
  PerspectiveCamera,
  type Plane,
  Scene,
  Sphere,
  Spherical,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { disposeModel } from './dispose-model.ts'
import { Guides } from './guides.ts'
import { materialsOf } from './measure-model.ts'
import { ALL_SHOWN, applyVisibility, Highlight, type PartLooks } from './part-looks.ts'
import { type Picked, pickPoint } from './pick-point.ts'
import { RulerLine } from './ruler-line.ts'
import { type Section, SectionCut, sectionPlane } from './section-plane.ts'

/** From where a model is looked at. */
const SIDES = {
  corner: new Vector3(1, 0.75, 1.4).normalize(),
  // Not quite: seen along the axis that it is turned around, nothing would say which way is up.
  /** As on a table in front of somebody. */
  table: new Vector3(0.3, 1, 0.75).normalize(),
  top: new Vector3(0, 1, 1e-5).normalize(),
  bottom: new Vector3(0, -1, -1e-5).normalize(),
}
export type StageSide = keyof typeof SIDES

/** So that all of a model that is shown is in view: from where the camera looks now, or from a side. */
function placeCamera(
  camera: PerspectiveCamera,
  target: Vector3,
  model: StageModel | undefined,
  side: StageSide | undefined,
): void {
  const box = model === undefined ? new Box3() : shownBox(model.core ?? model.object)
  const sphere = new Sphere(new Vector3(), 1)
  if (model !== undefined) box.getBoundingSphere(sphere)
  const radius = sphere.radius > 0 ? sphere.radius : 1
  const direction = side !== undefined ? SIDES[side] : camera.position.clone().sub(target).normalize()
  const half = ((camera.fov / 2) * Math.PI) / 180
  // In a view that is higher than wide the sides are nearer.
  const narrowest = Math.atan(Math.tan(half) * Math.min(1, camera.aspect))
  const distance =
    model?.isFlat === true
      ? distanceOfBox(box, direction, [Math.tan(half) * camera.aspect, Math.tan(half)]) * 1.04
      : (radius / Math.sin(narrowest)) * 1.1
  target.copy(sphere.center)
  camera.position.copy(sphere.center).addScaledVector(direction, distance)
  camera.near = distance / 1000
  camera.far = distance * 100
  camera.updateProjectionMatrix()
}

/** From where a box fills a view that is as wide and as high as these tangents say. */
function distanceOfBox(box: Box3, direction: Vector3, [wide, high]: readonly [number, number]): number {
  const right = new Vector3(0, 1, 0).cross(direction).normalize()
  const up = direction.clone().cross(right)
  const size = box.getSize(new Vector3()).divideScalar(2)
  let distance = 0
  for (const x of [-1, 1])
    for (const y of [-1, 1])
      for (const z of [-1, 1]) {
        const corner = new Vector3(x, y, z).multiply(size)
        const across = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(up)) / high)
        distance = Math.max(distance, corner.dot(direction) + across)
      }
  return distance > 0 ? distance : 1
}

/** Around what is shown of a model, or around all of it where nothing is. */
function shownBox(model: Object3D): Box3 {
  const box = new Box3()
  model.updateWorldMatrix(true, true)
  model.traverseVisible((part) => {
    const { geometry } = part as Partial<Mesh>
    if (geometry === undefined || !part.layers.isEnabled(0)) return
    if (geometry.boundingBox === null) geometry.computeBoundingBox()
    if (part instanceof InstancedMesh) part.computeBoundingBox()
    const own = part instanceof InstancedMesh ? part.boundingBox : geometry.boundingBox
    if (own !== null) box.union(own.clone().applyMatrix4(part.matrixWorld))
  })
  return box.isEmpty() ? box.setFromObject(model) : box
}

export interface StageLook {
  readonly isWired: boolean
  readonly hasGrid: boolean
  readonly hasAxes: boolean
}

export interface StageModel {
  readonly object: Object3D
  /** Whether up is Z in its file. */
  readonly isZUp: boolean
  /** A sphere around it would be mostly empty. */
  readonly isFlat?: boolean
  /** What of it a view is fitted to, and a section is taken along; all of it unless given. */
  readonly core?: Object3D
}

/** From where a model is looked at, and how. */
export interface StageViewpoint {
  readonly position: Vector3
  readonly target: Vector3
  readonly near: number
  readonly far: number
}

export interface Stage {
  /** Shows this and nothing else, fitted to the view or from where the camera is. What was there before is given back. */
  show(model: StageModel | undefined, keepsView?: boolean): void
  fit(): void
  /** As it was first shown. */
  reset(): void
  /** All of it, from this side. */
  look(side: StageSide): void
  /** Comes near to a place, from where the camera is. */
  focus(place: Vector3, distance: number): void
  /** After something of the model was changed. */
  refresh(): void
  setLook(look: StageLook): void
  setParts(looks: PartLooks): void
  setSection(section: Section | undefined): void
  /** What is seen at a place, in pixels of the view; in its middle without one. */
  pick(place?: { readonly x: number; readonly y: number }): Picked | undefined
  /** Draws a line between points that were picked. */
  setRuler(points: readonly Vector3[]): void
  /** Around the model, in radians. */
  turn(sideways: number, upwards: number): void
  /** Below 1 comes nearer. */
  approach(factor: number): void
  viewpoint(): StageViewpoint
  /** Looks from there. Whoever follows this stage is not told: it came from them. */
  lookFrom(viewpoint: StageViewpoint): void
  /** Tells each viewpoint that is drawn, until it is ended. */
  onViewpoint(tell: (viewpoint: StageViewpoint) => void): () => void
  dispose(): void
}

/** One camera for both, whichever is turned; the second begins where the first is. Answers what ends it. */
export function linkStages(first: Stage, second: Stage): () => void {
  second.lookFrom(first.viewpoint())
  const endings = [
    first.onViewpoint((viewpoint) => second.lookFrom(viewpoint)),
    second.onViewpoint((viewpoint) => first.lookFrom(viewpoint)),
  ]
  return () => endings.forEach((end) => end())
}

/** A view of one model, or undefined where the browser has no WebGL. Draws only when something has changed. */
export function makeStage(
  element: HTMLElement,
  onLost: () => void,
  firstSide: StageSide = 'corner',
): Stage | undefined {
  const canvas = document.createElement('canvas')
  // Asked for here: the renderer itself would complain to the console where there is none.
  const context = canvas.getContext('webgl2', { alpha: true, antialias: true })
  if (context === null) return undefined
  const renderer = new WebGLRenderer({ canvas, context, alpha: true, antialias: true })
  renderer.localClippingEnabled = true
  element.append(canvas)

  const scene = new Scene()
  const camera = new PerspectiveCamera(45)
  lightFrom(scene, camera)
  const controls = new OrbitControls(camera, canvas)
  const guides = new Guides(scene)
  const ruler = new RulerLine(scene)
  const highlight = new Highlight()
  const cut = new SectionCut()
  let model: StageModel | undefined
  let look: StageLook = { isWired: false, hasGrid: true, hasAxes: false }
  let parts = ALL_SHOWN
  let section: Section | undefined
  let plane: Plane | undefined
  let queued: number | undefined
  /** Until somebody turns it: a view that gets another size then shows all of it again. */
  let isFitted = true

  let tell: ((viewpoint: StageViewpoint) => void) | undefined
  let told: StageViewpoint | undefined
  const viewpoint = (): StageViewpoint => ({
    position: camera.position.clone(),
    target: controls.target.clone(),
    near: camera.near,
    far: camera.far,
  })

  const draw = () => {
    queued = undefined
    renderer.render(scene, camera)
    if (tell === undefined) return
    if (told?.position.equals(camera.position) === true && told.target.equals(controls.target)) return
    told = viewpoint()
    tell(told)
  }
  const redraw = () => {
    queued ??= requestAnimationFrame(draw)
  }
  const resize = () => {
    const { clientWidth: width, clientHeight: height } = element
    if (width === 0 || height === 0) return
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2))
    renderer.setSize(width, height)
    camera.aspect = width / height
    camera.updateProjectionMatrix()
    if (isFitted) placeCamera(camera, controls.target, model, undefined)
    controls.update()
    // At once: the canvas is empty until it is drawn again.
    draw()
  }
  const apply = () => {
    guides.set(look.hasGrid, look.hasAxes)
    plane = undefined
    if (model !== undefined) {
      const { object, isZUp, core = object } = model
      applyVisibility(object, parts)
      highlight.set(parts.selected)
      plane = section === undefined ? undefined : sectionPlane(core, section, isZUp)
      const materials = materialsOf(object)
      for (const material of materials) if ('wireframe' in material) material.wireframe = look.isWired
      cut.apply(materials, plane)
    }
    redraw()
  }
  const release = () => {
    highlight.clear()
    if (model !== undefined) disposeModel(model.object)
  }
  const fit = (side?: StageSide) => {
    placeCamera(camera, controls.target, model, side)
    controls.update()
    isFitted = true
    redraw()
  }
  const orbit = (change: (place: Spherical) => void) => {
    const offset = new Vector3().subVectors(camera.position, controls.target)
    const place = new Spherical().setFromVector3(offset)
    change(place)
    place.makeSafe()
    camera.position.setFromSpherical(place).add(controls.target)
    controls.update()
    isFitted = false
    redraw()
  }

  controls.addEventListener('change', redraw)
  controls.addEventListener('start', () => {
    isFitted = false
  })
  canvas.addEventListener('webglcontextlost', onLost)
  const sizes = new ResizeObserver(resize)
  sizes.observe(element)
  fit(firstSide)
  resize()
  return {
    show(next, keepsView = false) {
      release()
      model = next
      // Those of the model before are gone; the list of parts brings its own.
      parts = ALL_SHOWN
      ruler.set([])
      if (next !== undefined) scene.add(next.object)
      guides.surround(next?.object, next?.isZUp)
      apply()
      if (!keepsView) fit(firstSide)
    },
    fit: () => fit(),
    reset: () => fit(firstSide),
    look: (side) => fit(side),
    focus(place, distance) {
      const direction = camera.position.clone().sub(controls.target).normalize()
      const far = Math.min(distance, camera.position.distanceTo(controls.target))
      controls.target.copy(place)
      camera.position.copy(place).addScaledVector(direction, far)
      controls.update()
      isFitted = false
      redraw()
    },
    refresh: apply,
    setLook(next) {
      look = next
      apply()
    },
    setParts(next) {
      parts = next
      apply()
    },
    setSection(next) {
      section = next
      apply()
    },
    pick(place) {
      if (model === undefined) return undefined
      const size = new Vector2(element.clientWidth, element.clientHeight)
      const at =
        place === undefined
          ? new Vector2()
          : new Vector2((place.x / size.x) * 2 - 1, 1 - (place.y / size.y) * 2)
      camera.updateMatrixWorld()
      model.object.updateWorldMatrix(true, true)
      return pickPoint(at, { model: model.object, camera, plane, size })
    },
    setRuler(points) {
      ruler.set(points)
      redraw()
    },
    turn: (sideways, upwards) =>
      orbit((place) => {
        place.theta += sideways
        place.phi = Math.min(Math.PI, Math.max(0, place.phi + upwards))
      }),
    approach: (factor) =>
      orbit((place) => {
        place.radius *= factor
      }),
    viewpoint,
    lookFrom({ position, target, near, far }) {
      camera.position.copy(position)
      controls.target.copy(target)
      Object.assign(camera, { near, far })
      camera.updateProjectionMatrix()
      controls.update()
      isFitted = false
      told = viewpoint()
      redraw()
    },
    onViewpoint(next) {
      tell = next
      told = viewpoint()
      return () => {
        tell = undefined
      }
    },
    dispose() {
      canvas.removeEventListener('webglcontextlost', onLost)
      sizes.disconnect()
      if (queued !== undefined) cancelAnimationFrame(queued)
      release()
      ruler.dispose()
      guides.dispose()
      controls.dispose()
      renderer.dispose()
      // Browsers keep some sixteen contexts, and end the oldest that somebody still looks at.
      renderer.forceContextLoss()
      canvas.remove()
    },
  }
}

/** From the sky, and from over the shoulder of whoever looks: no side is ever in the dark. */
function lightFrom(scene: Scene, camera: PerspectiveCamera): void {
  const lamp = new DirectionalLight(0xffffff, 2)
  lamp.position.set(-0.5, 0.8, 1)
  camera.add(lamp)
  scene.add(camera, new HemisphereLight(0xffffff, 0x909090, 1.8))
}
