import { MeshStandardMaterial, type Object3D, TextureLoader } from 'three'
import { GLTFLoader, type GLTFParser } from 'three/addons/loaders/GLTFLoader.js'
import { UserError } from '../../../errors/user-error.ts'
import { disposeModel } from '../stage/dispose-model.ts'
import { type ModelFacts, materialsOf, measureModel } from '../stage/measure-model.ts'
import { meshFormatOf, readMesh } from './mesh-formats.ts'
import { type ModelFile, readModelFile, requireSmall } from './model-file.ts'
import { checkParts, MOST_TEXTURE_PIXELS, MOST_TRIANGLES, tooDetailed } from './model-limits.ts'
import { words } from './words.ts'

const DEADLINE_MS = 60_000

export interface LoadedModel {
  readonly object: Object3D
  readonly facts: ModelFacts
}

/** Makes a file a thing that can be shown. Throws why that fails, in words. */
export async function loadModel(
  bytes: Uint8Array,
  name: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<LoadedModel> {
  const format = meshFormatOf(name)
  requireSmall(bytes)
  const object =
    format === undefined ? await parse(readModelFile(bytes)) : await readMesh(format, bytes, signal)
  checkParts(object)
  for (const material of materialsOf(object)) {
    // Metal shows what surrounds it, and here nothing does: it would be black. To compute surroundings takes a computer
    // without a graphics card a quarter of a minute.
    if (material instanceof MeshStandardMaterial) material.metalness = Math.min(material.metalness, 0.4)
  }
  const { isZUp = false, hasUnit = false } = format ?? { hasUnit: true }
  const facts = { ...measureModel(object, isZUp), isZUp, isUnitAssumed: !hasUnit }
  if (facts.triangles > MOST_TRIANGLES || facts.texturePixels > MOST_TEXTURE_PIXELS) {
    disposeModel(object)
    throw tooDetailed()
  }
  return { object, facts }
}

async function parse(file: ModelFile): Promise<Object3D> {
  const loader = new GLTFLoader().register((parser) => fromMemory(parser, file))
  let timer: ReturnType<typeof setTimeout> | undefined
  // A document whose parts contain each other is never done.
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new UserError(words.tooSlow.title, words.tooSlow.text)), DEADLINE_MS)
  })
  try {
    const { scene } = await Promise.race([loader.parseAsync(JSON.stringify(file.document), ''), tooLong])
    return scene
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(words.damaged.title, words.damaged.parts, error)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Data comes from the file, and pictures as images. By itself the loader would fetch both from data and blob
 * addresses, which the policy forbids.
 */
function fromMemory(parser: GLTFParser, { document, buffers }: ModelFile) {
  parser.textureLoader = new TextureLoader(parser.options.manager)
  return {
    name: 'from memory',
    async loadBufferView(place: number): Promise<ArrayBuffer> {
      const view = document.bufferViews?.[place]
      const bytes = view === undefined ? undefined : buffers[view.buffer]
      if (view === undefined || bytes === undefined) throw new Error(`no buffer view ${place}`)
      const { byteOffset = 0, byteLength } = view
      return bytes.slice(byteOffset, byteOffset + byteLength).buffer
    },
  }
}
