import { Box3, type Object3D, type PerspectiveCamera, Sphere, Vector3 } from 'three'

const FROM_THE_SIDE = new Vector3(1, 0.75, 1.4).normalize()

/** So that all of a model is in view: from where the camera looks now, or from where it does at first. */
export function placeCamera(
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
