import type { FileOperation } from '@patchbay/contracts/content'
import type { Asked } from './writers.ts'

/** A file as the model has it. */
export interface ModelFile {
  readonly revision: number
  readonly sha256: string
}

export type State = ReadonlyMap<string, ModelFile>

/** Path to hash of what a change left; `null`: deleted. */
export type Left = ReadonlyMap<string, string | null>

/**
 * What files should be, from what was asked for alone: written for these tests, so that it shares no mistake with the
 * server. Throws where a change was made that should have been refused.
 */
export function applyAsked(states: readonly State[], asked: Asked): Left {
  const before = states.at(-1) ?? new Map<string, ModelFile>()
  const after = new Map([...before].map(([path, { sha256 }]) => [path, sha256]))
  if (asked.kind === 'restore') {
    after.clear()
    for (const [path, { sha256 }] of stateAt(states, asked.revision)) after.set(path, sha256)
  } else {
    for (const operation of asked.operations) applyOne(states, before, after, operation)
  }
  requireOnEveryDisk([...after.keys()])
  const left = new Map<string, string | null>()
  for (const path of before.keys()) if (!after.has(path)) left.set(path, null)
  for (const [path, sha256] of after) if (before.get(path)?.sha256 !== sha256) left.set(path, sha256)
  return left
}

export function stateAt(states: readonly State[], revision: number): State {
  const state = states[revision]
  if (state === undefined) throw new Error(`there is no revision ${revision}`)
  return state
}

function applyOne(
  states: readonly State[],
  before: State,
  after: Map<string, string>,
  operation: FileOperation,
): void {
  const { path, ifRevision } = operation
  const found = before.get(path)?.revision ?? null
  if (ifRevision !== undefined && ifRevision !== found)
    throw new Error(`${path} was expected at ${ifRevision} and was at ${found}`)
  if (operation.op === 'put') after.set(path, operation.sha256)
  else if (operation.op === 'delete') for (const each of within(after, path)) after.delete(each)
  else if (operation.op === 'restore') {
    const then = stateAt(states, operation.revision).get(path)
    if (then !== undefined) after.set(path, then.sha256)
    else if (!after.delete(path)) throw new Error(`${path} was restored to nothing, and was not there`)
  } else if (path !== operation.to) {
    if (operation.to.startsWith(`${path}/`)) throw new Error(`${path} was moved into itself`)
    const moved = within(after, path).map((from) => [from, after.get(from) ?? ''] as const)
    for (const [from] of moved) after.delete(from)
    for (const [from, sha256] of moved) {
      const target = operation.to + from.slice(path.length)
      if (after.has(target)) throw new Error(`${from} was moved onto ${target}`)
      after.set(target, sha256)
    }
  }
}

function within(files: ReadonlyMap<string, string>, path: string): string[] {
  const found = files.has(path) ? [path] : [...files.keys()].filter((each) => each.startsWith(`${path}/`))
  if (found.length === 0) throw new Error(`${path} is not there`)
  return found
}

/** No two paths that differ by case alone, folders included, and no file that is a folder. */
function requireOnEveryDisk(paths: readonly string[]): void {
  const spelled = new Map<string, string>()
  const files = new Set(paths.map((path) => path.toLowerCase()))
  for (const path of paths) {
    const names = path.split('/')
    for (let depth = 1; depth <= names.length; depth += 1) {
      const part = names.slice(0, depth).join('/')
      const other = spelled.get(part.toLowerCase()) ?? part
      if (other !== part) throw new Error(`${part} and ${other} are there at once`)
      if (depth < names.length && files.has(part.toLowerCase()))
        throw new Error(`${part} is a file and a folder`)
      spelled.set(part.toLowerCase(), part)
    }
  }
}

/** The state after a change that left these paths so. */
export function stateAfter(before: State, revision: number, left: Left): State {
  const after = new Map(before)
  for (const [path, sha256] of left) {
    if (sha256 === null) after.delete(path)
    else after.set(path, { revision, sha256 })
  }
  return after
}

/** Two states of one text are the same. */
export function describe(state: State): string {
  const lines = [...state].map(([path, { revision, sha256 }]) => `${path} ${revision} ${sha256}`)
  return lines.toSorted().join('\n')
}
