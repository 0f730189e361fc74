import type { Mesh, Object3D } from 'three'
import { materialsOf, texturesOf } from './measure-model.ts'

/** Gives back what a model holds on the graphics card: nothing else ever does. */
export function disposeModel(object: Object3D): void {
  for (const texture of texturesOf(object)) texture.dispose()
  for (const material of materialsOf(object)) material.dispose()
  object.traverse((part) => {
    ;(part as Partial<Mesh>).geometry?.dispose()
    if ('skeleton' in part) (part.skeleton as { dispose(): void }).dispose()
  })
  object.removeFromParent()
}
