import {
  Box3,
  DirectionalLight,
  HemisphereLight,
  type Object3D,
  PerspectiveCamera,
  Scene,
  Sphere,
  Spherical,
  Vector3,
  WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { disposeModel } from './dispose-model.ts'
import { Guides } from './guides.ts'
import { materialsOf } from './measure-model.ts'

const FROM_THE_SIDE = new Vector3(1, 0.75, 1.4).normalize()

/** So that all of a model is in view: from where the camera looks now, or from where it does at first. */
function placeCamera(
  camera: PerspectiveCamera,
  target: Vector3,
  model: Object3D | undefined,
  isAnew: boolean,
): void {
  const sphere = new Sphere(new Vector3(), 1)
  if (model !== undefined) new Box3().setFromObject(model).getBoundingSphere(sphere)
  const radius = sphere.radius > 0 ? sphere.radius : 1
  const direction = isAnew ? FROM_THE_SIDE : camera.position.clone().sub(target).normalize()
  const half = ((camera.fov / 2) * Math.PI) / 180
  // In a view that is higher than wide the sides are nearer.
  const narrowest = Math.atan(Math.tan(half) * Math.min(1, camera.aspect))
  const distance = (radius / Math.sin(narrowest)) * 1.1
  target.copy(sphere.center)
  camera.position.copy(sphere.center).addScaledVector(direction, distance)
  camera.near = distance / 1000
  camera.far = distance * 100
  camera.updateProjectionMatrix()
}

export interface StageLook {
  readonly isWired: boolean
  readonly hasGrid: boolean
  readonly hasAxes: boolean
}

export interface Stage {
  /** Shows this and nothing else, fitted to the view. What was there before is given back. */
  show(object: Object3D | undefined): void
  fit(): void
  /** As it was first shown. */
  reset(): void
  setLook(look: StageLook): void
  /** Around the model, in radians. */
  turn(sideways: number, upwards: number): void
  /** Below 1 comes nearer. */
  approach(factor: number): void
  dispose(): void
}

/** A view of one model, or undefined where the browser has no WebGL. Draws only when something has changed. */
export function makeStage(element: HTMLElement, onLost: () => void): Stage | undefined {
  const canvas = document.createElement('canvas')
  // Asked for here: the renderer itself would complain to the console where there is none.
  const context = canvas.getContext('webgl2', { alpha: true, antialias: true })
  if (context === null) return undefined
  const renderer = new WebGLRenderer({ canvas, context, alpha: true, antialias: true })
  element.append(canvas)

  const scene = new Scene()
  const camera = new PerspectiveCamera(45)
  lightFrom(scene, camera)
  const controls = new OrbitControls(camera, canvas)
  const guides = new Guides(scene)
  let model: Object3D | undefined
  let look: StageLook = { isWired: false, hasGrid: true, hasAxes: false }
  let queued: number | undefined

  const draw = () => {
    queued = undefined
    renderer.render(scene, camera)
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
    // At once: the canvas is empty until it is drawn again.
    draw()
  }
  const applyLook = () => {
    guides.set(look.hasGrid, look.hasAxes)
    for (const material of model === undefined ? [] : materialsOf(model)) {
      if ('wireframe' in material) material.wireframe = look.isWired
    }
    redraw()
  }
  const fit = (isAnew: boolean) => {
    placeCamera(camera, controls.target, model, isAnew)
    controls.update()
    redraw()
  }
  const orbit = (change: (place: Spherical) => void) => {
    const offset = new Vector3().subVectors(camera.position, controls.target)
    const place = new Spherical().setFromVector3(offset)
    change(place)
    place.makeSafe()
    camera.position.setFromSpherical(place).add(controls.target)
    controls.update()
    redraw()
  }

  controls.addEventListener('change', redraw)
  canvas.addEventListener('webglcontextlost', onLost)
  const sizes = new ResizeObserver(resize)
  sizes.observe(element)
  fit(true)
  resize()
  return {
    show(object) {
      if (model !== undefined) disposeModel(model)
      model = object
      if (object !== undefined) scene.add(object)
      guides.surround(object)
      applyLook()
      fit(true)
    },
    fit: () => fit(false),
    reset: () => fit(true),
    setLook(next) {
      look = next
      applyLook()
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
    dispose() {
      canvas.removeEventListener('webglcontextlost', onLost)
      sizes.disconnect()
      if (queued !== undefined) cancelAnimationFrame(queued)
      if (model !== undefined) disposeModel(model)
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
