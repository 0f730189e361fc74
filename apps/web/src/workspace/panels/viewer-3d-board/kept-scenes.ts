import { KEPT_BOARDS } from '../../../session/kept-boards.ts'
import type { BoardScene } from './drawing/draw-board.ts'
import type { FlatMesh } from './drawing/flat-mesh.ts'
import { workerUrl } from './drawing/worker-url.ts'

export interface KeptScene {
  readonly tag: string
  readonly scene: BoardScene
}

/** What is kept beside a scene, so that nothing has to read scenes to find the oldest. */
interface Note {
  readonly tag: string
  /** Where files with this content were seen. */
  readonly places: readonly string[]
  readonly bytes: number
  readonly usedAt: number
  /** The code that has drawn it: other code draws anew. */
  readonly drawnBy: string
}

const NOTES = 'notes'
const SCENES = 'scenes'
const BY_PLACE = 'byPlace'
const MOST_BYTES = 96 * 1024 ** 2
const MOST_SCENES = 24
const MOST_PLACES = 20

/** The scene of the content that was last seen at this place, if it is kept. A browser that keeps nothing has none. */
export async function keptAt(place: string): Promise<KeptScene | undefined> {
  return await quietly(async (database) => {
    const store = database.transaction(NOTES).objectStore(NOTES)
    const notes = (await done(store.index(BY_PLACE).getAll(place))) as Note[]
    const [newest] = notes.filter(isOfThisCode).toSorted((one, other) => other.usedAt - one.usedAt)
    return newest === undefined ? undefined : await read(database, newest.tag)
  })
}

/** The scene of this content, wherever it was seen. */
export async function keptOf(tag: string): Promise<KeptScene | undefined> {
  return await quietly(async (database) => {
    const note = (await done(database.transaction(NOTES).objectStore(NOTES).get(tag))) as Note | undefined
    return note !== undefined && isOfThisCode(note) ? await read(database, tag) : undefined
  })
}

/** Keeps a scene, or notes that it was used; the least recently used ones make room. */
export async function keepScene(place: string, { tag, scene }: KeptScene, now: number): Promise<void> {
  const bytes = bytesOf(scene)
  if (tag === '' || bytes > MOST_BYTES / 2) return
  await quietly(async (database) => {
    const transaction = database.transaction([NOTES, SCENES], 'readwrite')
    const [notes, scenes] = [transaction.objectStore(NOTES), transaction.objectStore(SCENES)]
    const all = (await done(notes.getAll())) as Note[]
    const known = all.find((note) => note.tag === tag && isOfThisCode(note))
    const places = [place, ...(known?.places ?? []).filter((one) => one !== place)].slice(0, MOST_PLACES)
    notes.put({ tag, places, bytes, usedAt: now, drawnBy: workerUrl } satisfies Note)
    if (known === undefined) scenes.put(scene, tag)
    let [room, count] = [MOST_BYTES - bytes, MOST_SCENES - 1]
    for (const note of all.toSorted((one, other) => other.usedAt - one.usedAt)) {
      if (note.tag === tag) continue
      room -= note.bytes
      count -= 1
      if (room >= 0 && count >= 0 && isOfThisCode(note)) continue
      notes.delete(note.tag)
      scenes.delete(note.tag)
    }
  })
}

const isOfThisCode = ({ drawnBy }: Note) => drawnBy === workerUrl

async function read(database: IDBDatabase, tag: string): Promise<KeptScene | undefined> {
  const scene = (await done(database.transaction(SCENES).objectStore(SCENES).get(tag))) as
    | BoardScene
    | undefined
  return scene === undefined ? undefined : { tag, scene }
}

/** Of the meshes, with some for each part. */
function bytesOf({ faces, sides, drilled, meshes, footprints }: BoardScene): number {
  const sizeOf = ({ positions, index, nets }: FlatMesh) =>
    positions.byteLength + index.byteLength + nets.byteLength
  const drawn = [faces, sides, drilled, ...meshes].reduce((all, mesh) => all + sizeOf(mesh), 0)
  const listed = footprints.reduce((all, { pads }) => all + 1_000 + pads.length * 300, 0)
  return drawn + listed
}

/** What cannot be kept or read is read and drawn again. */
async function quietly<Result>(
  work: (database: IDBDatabase) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    const database = await open()
    try {
      return await work(database)
    } finally {
      // Closes after what is under way; signing out deletes it without waiting for this page.
      database.close()
    }
  } catch {
    return undefined
  }
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(KEPT_BOARDS, 1)
  request.addEventListener('upgradeneeded', () => {
    const notes = request.result.createObjectStore(NOTES, { keyPath: 'tag' })
    notes.createIndex(BY_PLACE, 'places', { multiEntry: true })
    request.result.createObjectStore(SCENES)
  })
  return await done(request)
}

function done<Result>(request: IDBRequest<Result>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  request.addEventListener('success', () => resolve(request.result))
  request.addEventListener('error', () => reject(request.error ?? new Error('the database did not answer')))
  return promise
}
