import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ContentChanged, ContentFile, FileOperation } from '@patchbay/contracts/content'

/** What a writer asked for, which the reason in the history names, and what it was told of it. */
export interface Attempt {
  readonly id: string
  readonly workspace: string
  readonly writer: string
  readonly asked: Asked
  outcome: Outcome
}

export type Asked =
  | { readonly kind: 'operations'; readonly operations: readonly FileOperation[] }
  | { readonly kind: 'restore'; readonly revision: number }

/** `unknown`: the connection broke, or an engine was missing. It happened whole, or not at all. */
export type Outcome =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'changed'; readonly revision: number; readonly paths: number }
  /** Of one file: what the answer says it is now. */
  | { readonly kind: 'written'; readonly revision: number; readonly sha256: string }

/** Bytes that a writer was given; `asOf`: it had asked for this revision. */
export interface ReadBytes {
  readonly workspace: string
  readonly path: string
  readonly asOf: number | undefined
  readonly revision: number
  readonly sha256: string
}

/** Every file of a workspace in one page, `path revision hash` each. */
export interface Listed {
  readonly workspace: string
  readonly revision: number
  readonly files: readonly string[]
}

export interface Journal {
  readonly attempts: Attempt[]
  readonly reads: ReadBytes[]
  readonly lists: Listed[]
  /** What must not happen, in words. */
  readonly faults: string[]
  /** How many answers of each kind there were. */
  readonly answers: Map<string, number>
  /** Operations that were answered, whatever the answer was. */
  answered: number
}

export function createJournal(): Journal {
  return { attempts: [], reads: [], lists: [], faults: [], answers: new Map(), answered: 0 }
}

/** The same choices in every run that begins with the same number. */
export interface RandomSource {
  /** From 0 to one less. */
  below(count: number): number
  pick<Item>(items: readonly Item[]): Item
}

/** Mulberry32. */
export function createRandom(seed: number): RandomSource {
  let state = seed
  const below = (count: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * count)
  }
  return {
    below,
    pick(items) {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('there is nothing to pick from')
      return item
    },
  }
}

export interface WriterOptions {
  readonly name: string
  readonly key: string
  readonly workspaces: readonly string[]
  readonly nodeUrls: () => readonly string[]
  readonly random: RandomSource
  readonly journal: Journal
  /** Stops once so many operations of all writers were answered. */
  readonly operations: number
  readonly signal: AbortSignal
}

export const sha256Of = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const REQUEST_MS = 40_000
const PAUSE_MS = 100
const FOLDERS = ['a', 'b', 'c', 'd/x', 'd/y', 'e']
const NAMES = 20
/** Texts that many files have: their bytes are shared, given up and uploaded again. */
const COMMON_TEXTS = 30
/** A refusal that a writer has to expect when others write as well. */
const EXPECTED = new Set(['file_changed', 'path_taken', 'file_not_found', 'bytes_missing'])
const AWAY = new Set(['database_unavailable', 'objects_unavailable', 'bus_unavailable', 'deadline_exceeded'])

interface Refusal {
  readonly code: string
  /** What is there instead of what was expected. */
  readonly current?: { readonly revision: number } | null
}

const isKnown = ({ kind }: Outcome) => kind !== 'unknown'

/** Answers whether it is known what came of it. */
type Act = (id: string) => Promise<boolean>

/** What a writer believes of a workspace: maybe not true anymore. */
interface Belief {
  revision: number
  readonly files: Map<string, number>
}

/** Works until enough was done, whatever happens to the servers. */
export async function write(options: WriterOptions): Promise<void> {
  const { workspaces, random, journal, operations, signal } = options
  const beliefs = new Map<string, Belief>(workspaces.map((each) => [each, { revision: 0, files: new Map() }]))
  // Failed calls count as well, so that servers that are gone for good end the loop.
  for (let calls = 0; calls < operations * 3 && journal.answered < operations; calls += 1) {
    if (signal.aborted) throw new Error(`${options.name}: no time left after ${calls} calls`)
    const workspace = random.pick(workspaces)
    const belief = beliefs.get(workspace)
    if (belief === undefined) throw new Error('no such workspace')
    const isAnswered = await createWriter(options, workspace, belief).act(`${options.name}-${calls}`)
    if (isAnswered) journal.answered += 1
    else await sleep(PAUSE_MS)
  }
}

/** One writer at one workspace; which node it asks is decided anew for each call. */
function createWriter(
  { name: writer, key, nodeUrls, random, journal }: WriterOptions,
  workspace: string,
  belief: Belief,
) {
  /** `undefined`: no answer that says what happened. */
  const ask = async (
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
  ): Promise<Response | undefined> => {
    const url = `${random.pick(nodeUrls())}/api/workspaces/editor/${workspace}/files${path}`
    try {
      const answer = await fetch(url, {
        method,
        headers: { 'x-api-key': key, ...headers },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(REQUEST_MS),
      })
      const { code = 'none' } = answer.ok ? {} : ((await answer.clone().json()) as { code?: string })
      const isAway = answer.status >= 500
      count(answer.ok ? String(answer.status) : `${answer.status} ${code}`)
      if (!answer.ok && !(isAway ? AWAY : EXPECTED).has(code))
        journal.faults.push(`${method} ${path}: ${answer.status} ${code}`)
      return isAway ? undefined : answer
    } catch {
      count('no answer')
      return undefined
    }
  }

  const count = (kind: string) => void journal.answers.set(kind, (journal.answers.get(kind) ?? 0) + 1)

  /** Notes the attempt before it is made: what nobody is told of may have happened. */
  const attempt = async (
    id: string,
    asked: Asked,
    call: () => Promise<Response | undefined>,
  ): Promise<Outcome> => {
    const made: Attempt = { id, workspace, writer, asked, outcome: { kind: 'unknown' } }
    journal.attempts.push(made)
    const answer = await call()
    // An answer that breaks off says nothing.
    const body = (await answer?.json().catch(() => undefined)) as
      | (ContentChanged & Partial<ContentFile> & Refusal)
      | undefined
    if (answer === undefined || body === undefined) return made.outcome
    const { revision, paths, path, sha256, code, current } = body
    if (!answer.ok) {
      made.outcome = { kind: 'refused', code }
      if (current === null) belief.files.delete(path ?? '')
      else if (path !== undefined && current !== undefined) belief.files.set(path, current.revision)
    } else if (path === undefined || sha256 === undefined) made.outcome = { kind: 'changed', revision, paths }
    else {
      made.outcome = { kind: 'written', revision, sha256 }
      belief.files.set(path, revision)
    }
    if (answer.ok) belief.revision = Math.max(belief.revision, revision)
    return made.outcome
  }

  const newText = () =>
    random.below(3) === 0
      ? `common ${random.below(COMMON_TEXTS)}`
      : `${random.below(2 ** 31)} `.repeat(random.below(50) === 0 ? 20_000 : 1 + random.below(200))

  const somePath = () => {
    const folder = random.pick(FOLDERS)
    const name = `n${random.below(NAMES)}.txt`
    // What differs by case alone, and files where folders are.
    const odd = [folder, `${folder}/${name}/deeper.txt`, `${folder.toUpperCase()}/${name}`, name]
    return random.below(12) === 0 ? random.pick(odd) : `${folder}/${name}`
  }

  const knownPath = () => (belief.files.size === 0 ? somePath() : random.pick([...belief.files.keys()]))

  const put = (id: string, path: string, expected: number | null | undefined) => {
    const text = newText()
    const ifRevision = expected === undefined ? {} : { ifRevision: expected }
    const headers = expected === null ? {} : { 'if-match': expected === undefined ? '*' : `"${expected}"` }
    return attempt(
      id,
      { kind: 'operations', operations: [{ op: 'put', path, sha256: sha256Of(text), ...ifRevision }] },
      () =>
        ask('PUT', `/content?path=${encodeURIComponent(path)}&reason=${id}`, {
          headers: { 'content-type': 'application/octet-stream', ...headers },
          body: text,
        }),
    )
  }

  const upload = async (): Promise<string | undefined> => {
    const body = newText()
    const headers = { 'content-type': 'application/octet-stream' }
    const answer = await ask('PUT', `/blobs/${sha256Of(body)}`, { headers, body })
    return answer?.ok === true ? sha256Of(body) : undefined
  }

  const post = (path: string, body: object) =>
    ask('POST', path, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

  const change = async (id: string, operations: readonly FileOperation[]) =>
    isKnown(
      await attempt(id, { kind: 'operations', operations }, () =>
        post('/changes', { operations, reason: id }),
      ),
    )

  const restoreOne = (): FileOperation => ({
    op: 'restore',
    path: random.below(2) === 0 ? knownPath() : somePath(),
    revision: 1 + random.below(Math.max(1, belief.revision)),
  })

  const acts: Readonly<Record<string, readonly [weight: number, act: Act]>> = {
    putNew: [18, async (id) => isKnown(await put(id, somePath(), null))],
    putKnown: [
      20,
      async (id) => {
        const path = knownPath()
        return isKnown(await put(id, path, belief.files.get(path) ?? null))
      },
    ],
    putAnyway: [6, async (id) => isKnown(await put(id, knownPath(), undefined))],
    putStale: [
      8,
      async (id) => {
        const path = knownPath()
        // Revisions of a path only grow: one below what was seen there is over for good.
        const stale = (belief.files.get(path) ?? 1) - 1
        if (stale < 1) return true
        const outcome = await put(id, path, stale)
        const isRefused = outcome.kind === 'refused' && outcome.code === 'file_changed'
        if (outcome.kind !== 'unknown' && !isRefused)
          journal.faults.push(`${id}: a stale write was not refused`)
        return isKnown(outcome)
      },
    ],
    changeSeveral: [
      14,
      async (id) => {
        const operations: FileOperation[] = []
        for (let index = random.below(4); index >= 0; index -= 1) {
          const sha256 = await upload()
          if (sha256 === undefined) return false
          const path = random.below(2) === 0 ? knownPath() : somePath()
          const known = belief.files.get(path)
          const ifRevision = random.below(2) === 0 ? {} : { ifRevision: known ?? null }
          operations.push({ op: 'put', path, sha256, ...ifRevision })
        }
        if (random.below(3) === 0) operations.push({ op: 'delete', path: knownPath() })
        if (random.below(3) === 0) operations.push({ op: 'move', path: knownPath(), to: somePath() })
        if (random.below(3) === 0) operations.push(restoreOne())
        return change(id, operations)
      },
    ],
    moveFile: [6, (id) => change(id, [{ op: 'move', path: knownPath(), to: somePath() }])],
    moveFolder: [
      4,
      (id) => change(id, [{ op: 'move', path: random.pick(FOLDERS), to: random.pick(FOLDERS) }]),
    ],
    deleteFile: [
      6,
      async (id) => {
        const path = knownPath()
        const known = random.below(4) === 0 ? undefined : belief.files.get(path)
        const ifRevision = known === undefined ? {} : { ifRevision: known }
        const headers = { 'if-match': known === undefined ? '*' : `"${known}"` }
        const asked: Asked = { kind: 'operations', operations: [{ op: 'delete', path, ...ifRevision }] }
        const address = `/content?path=${encodeURIComponent(path)}&reason=${id}`
        return isKnown(await attempt(id, asked, () => ask('DELETE', address, { headers })))
      },
    ],
    deleteFolder: [1, (id) => change(id, [{ op: 'delete', path: random.pick(FOLDERS) }])],
    restoreOne: [5, (id) => change(id, [restoreOne()])],
    restoreAll: [
      2,
      async (id) => {
        const revision = Math.max(0, belief.revision - random.below(30))
        const asked: Asked = { kind: 'restore', revision }
        return isKnown(await attempt(id, asked, () => post('/restore', { revision, reason: id })))
      },
    ],
    read: [
      12,
      async () => {
        const path = knownPath()
        const seen = belief.files.get(path)
        const asOf = random.below(2) === 0 ? seen : undefined
        const query = asOf === undefined ? '' : `&revision=${asOf}`
        const answer = await ask('GET', `/content?path=${encodeURIComponent(path)}${query}`)
        if (answer === undefined) return false
        if (!answer.ok) {
          if (asOf !== undefined)
            journal.faults.push(`${path} as of ${asOf} cannot be read: ${answer.status}`)
          return true
        }
        const bytes = await answer.bytes().catch(() => undefined)
        if (bytes === undefined) return false
        const revision = Number(answer.headers.get('etag')?.slice(1, -1))
        journal.reads.push({ workspace, path, asOf, revision, sha256: sha256Of(bytes) })
        return true
      },
    ],
    list: [
      6,
      async () => {
        const answer = await ask('GET', '?recursive=true&limit=1000')
        const page = (await answer?.json().catch(() => undefined)) as
          | { revision: number; files: ContentFile[] }
          | undefined
        if (page === undefined) return false
        const { revision, files } = page
        const lines = files.map((file) => `${file.path} ${file.revision} ${file.sha256}`)
        journal.lists.push({ workspace, revision, files: lines })
        belief.revision = Math.max(belief.revision, revision)
        belief.files.clear()
        for (const file of files) belief.files.set(file.path, file.revision)
        return true
      },
    ],
    uploadOnly: [2, async () => (await upload()) !== undefined],
  }

  return {
    async act(id: string): Promise<boolean> {
      const all = Object.values(acts)
      let left = random.below(all.reduce((sum, [weight]) => sum + weight, 0))
      for (const [weight, act] of all) {
        left -= weight
        if (left < 0) return await act(id)
      }
      return true
    },
  }
}
