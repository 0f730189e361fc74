import { Vector3 } from 'three'

/** In the view Y is up. Some kinds of files have Z there, and people who made them think in the axes of the file. */
export function toFileAxes({ x, y, z }: Vector3, isZUp: boolean): Vector3 {
  return isZUp ? new Vector3(x, -z, y) : new Vector3(x, y, z)
}

export function fromFileAxes({ x, y, z }: Vector3, isZUp: boolean): Vector3 {
  return isZUp ? new Vector3(x, z, -y) : new Vector3(x, y, z)
}
