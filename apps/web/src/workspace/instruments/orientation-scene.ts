import {
  ArrowHelper,
  BoxGeometry,
  ConeGeometry,
  DirectionalLight,
  Euler,
  GridHelper,
  Group,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three'

/** In radians, about x (forward), y (left) and z (up). */
export interface Attitude {
  readonly roll: number
  readonly pitch: number
  readonly yaw: number
}

export interface OrientationScene {
  turn(attitude: Attitude): void
  dispose(): void
}

/** A board whose tip shows where forward is; undefined where the browser has no WebGL. Draws only when it turns. */
export function makeOrientationScene(element: HTMLElement): OrientationScene | undefined {
  const canvas = document.createElement('canvas')
  // Asked for here: the renderer itself would complain to the console where there is none.
  const context = canvas.getContext('webgl2', { alpha: true, antialias: true })
  if (context === null) return undefined
  const renderer = new WebGLRenderer({ canvas, context, alpha: true, antialias: true })
  element.append(canvas)
  const scene = new Scene()
  const camera = new PerspectiveCamera(35, 1, 0.1, 50)
  camera.up.set(0, 0, 1)
  camera.position.set(-3.4, 2.6, 2.6)
  camera.lookAt(0, 0, 0)
  const lamp = new DirectionalLight(0xffffff, 2)
  lamp.position.set(-2, 3, 5)
  const ground = new GridHelper(4, 8, 0x808080, 0x808080)
  ground.rotation.x = Math.PI / 2
  ground.position.z = -1
  ground.material.transparent = true
  ground.material.opacity = 0.4
  const board = makeBoard()
  scene.add(new HemisphereLight(0xffffff, 0x909090, 1.8), lamp, ground, board)

  const draw = () => renderer.render(scene, camera)
  const resize = () => {
    const { clientWidth: width, clientHeight: height } = element
    if (width === 0 || height === 0) return
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2))
    renderer.setSize(width, height)
    camera.aspect = width / height
    camera.updateProjectionMatrix()
    draw()
  }
  const sizes = new ResizeObserver(resize)
  sizes.observe(element)
  resize()
  return {
    turn({ roll, pitch, yaw }) {
      board.setRotationFromEuler(new Euler(roll, pitch, yaw, 'ZYX'))
      draw()
    },
    dispose() {
      sizes.disconnect()
      board.traverse((part) => {
        if (!(part instanceof Mesh)) return
        const mesh = part as Mesh<BoxGeometry, MeshStandardMaterial>
        mesh.geometry.dispose()
        mesh.material.dispose()
      })
      ground.dispose()
      renderer.dispose()
      // Browsers keep some sixteen contexts, and end the oldest that somebody still looks at.
      renderer.forceContextLoss()
      canvas.remove()
    },
  }
}

function makeBoard(): Group {
  const group = new Group()
  const body = new Mesh(new BoxGeometry(1.5, 1, 0.14), new MeshStandardMaterial({ color: 0x2f7d5b }))
  const tip = new Mesh(new ConeGeometry(0.28, 0.5, 24), new MeshStandardMaterial({ color: 0xf07a2a }))
  // A cone points along y; forward is x.
  tip.rotation.z = -Math.PI / 2
  tip.position.x = 1
  const axes = [
    new ArrowHelper(new Vector3(1, 0, 0), new Vector3(), 1.5, 0xd64545, 0.16, 0.1),
    new ArrowHelper(new Vector3(0, 1, 0), new Vector3(), 1.1, 0x3fa34d, 0.16, 0.1),
    new ArrowHelper(new Vector3(0, 0, 1), new Vector3(), 0.9, 0x3d7de0, 0.16, 0.1),
  ]
  group.add(body, tip, ...axes)
  return group
}
