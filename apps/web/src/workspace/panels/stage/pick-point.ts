import {
  type Camera,
  InstancedMesh,
  type Intersection,
  Mesh,
  type Object3D,
  type Plane,
  Raycaster,
  type Vector2,
  Vector3,
} from 'three'

/** How near to a corner a point is taken to be it, in pixels. */
const SNAP_PIXELS = 10

export interface Picked {
  /** At a corner if there is one nearby. */
  readonly point: Vector3
  /** Where the ray has met it. */
  readonly exact: Vector3
  readonly object: Object3D
}

interface Looking {
  readonly model: Object3D
  readonly camera: Camera
  readonly plane: Plane | undefined
  /** Of the view, in pixels. */
  readonly size: Vector2
}

/** What is seen at a place of the view, from -1 to 1 in both directions; at a corner if there is one nearby. */
export function pickPoint(place: Vector2, { model, camera, plane, size }: Looking): Picked | undefined {
  const ray = new Raycaster()
  ray.setFromCamera(place, camera)
  const distance = camera.position.distanceTo(new Vector3().setFromMatrixPosition(model.matrixWorld))
  ray.params.Points.threshold = distance * 0.01
  ray.params.Line.threshold = distance * 0.01
  const hit = ray
    .intersectObject(model, true)
    .find(
      ({ object, point }) => isShown(object) && (plane === undefined || plane.distanceToPoint(point) >= 0),
    )
  if (hit === undefined) return undefined
  const { object, point } = hit
  const pixels = (at: Vector3) => {
    const { x, y } = at.clone().project(camera)
    return new Vector3(x * size.x, y * size.y, 0).divideScalar(2)
  }
  const nearest = cornersOf(hit)
    .map((corner) => ({ corner, away: pixels(corner).distanceTo(pixels(point)) }))
    .toSorted((one, other) => one.away - other.away)[0]
  return {
    object,
    exact: point,
    point: nearest !== undefined && nearest.away <= SNAP_PIXELS ? nearest.corner : point,
  }
}

/** Rays meet what is hidden as well. */
function isShown(object: Object3D): boolean {
  for (let at: Object3D | null = object; at !== null; at = at.parent) if (!at.visible) return false
  return true
}

function cornersOf({ object, face }: Intersection): Vector3[] {
  // Corners of an instance would have to be moved to where it is.
  const isPlain = object instanceof Mesh && !(object instanceof InstancedMesh)
  if (!isPlain || face === null || face === undefined) return []
  return [face.a, face.b, face.c].map((at) =>
    (object as Mesh).getVertexPosition(at, new Vector3()).applyMatrix4(object.matrixWorld),
  )
}
