import { Mesh, MeshBasicMaterial, Texture } from 'three'
import { expect, test } from 'vitest'
import { measureModel } from '../../src/workspace/panels/stage/measure-model.ts'
import { loadModel } from '../../src/workspace/panels/viewer-3d/load-model.ts'
import { LARGEST_MODEL_BYTES } from '../../src/workspace/panels/viewer-3d/model-file.ts'
import { MOST_TEXTURE_PIXELS } from '../../src/workspace/panels/viewer-3d/model-limits.ts'
import { cubeGlb, REFUSED } from './models.ts'

test('[W-311] a model is read', async () => {
  const { facts } = await loadModel(cubeGlb(), 'model.glb')
  expect(facts).toMatchObject({ triangles: 12, texturePixels: 0, size: { x: 1, y: 1, z: 1 } })
})

test.each(REFUSED)('[W-311] %s is refused', async (_, file, title) => {
  await expect(loadModel(file, 'model.glb')).rejects.toMatchObject({ name: 'Tellable', title })
})

test.each([
  [{ buffers: [{ uri: 'cube.bin', byteLength: 4 }] }, 'cube.bin'],
  [{ images: [{ uri: 'https://evil.example/x.png' }] }, 'https://evil.example/x.png'],
  [{ extensionsUsed: ['KHR_draco_mesh_compression'] }, 'Draco'],
  [{ extensionsRequired: ['KHR_texture_basisu'] }, 'KTX 2'],
])('[W-311] what is in the way is named: %j', async (over, named) => {
  const detail = expect.stringContaining(named) as string
  await expect(loadModel(cubeGlb({ over }), 'model.glb')).rejects.toMatchObject({ detail })
})

test('[W-311] a file that is too large is refused before it is read', async () => {
  const file = new Uint8Array(LARGEST_MODEL_BYTES + 1)
  await expect(loadModel(file, 'model.glb')).rejects.toMatchObject({ title: 'The model is too large' })
})

test('[W-311] the pixels of all pictures count', () => {
  const map = new Texture({ width: 16_000, height: 16_000 })
  const { texturePixels } = measureModel(new Mesh(undefined, new MeshBasicMaterial({ map })))
  expect(texturePixels).toBe(256_000_000)
  expect(texturePixels).toBeGreaterThan(MOST_TEXTURE_PIXELS)
})
