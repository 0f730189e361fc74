/** A file as it was when both sides were last the same. */
export interface BaseFile {
  readonly revision: number
  readonly sha256: string
  readonly size: number
  /** Of the file on this disk, then: what still has it was not changed since. */
  readonly modifiedMs: number
}

export interface LocalFile {
  readonly sha256: string
  readonly size: number
  readonly modifiedMs: number
}

/** What the server says of a path now; without content: deleted. */
export interface RemoteFile {
  readonly revision: number
  readonly content: { readonly sha256: string; readonly size: number } | null
}

export type PullStep =
  /** Written as the server has it. `wasDeleted`: it was deleted here meanwhile. */
  | {
      readonly kind: 'fetch'
      readonly path: string
      readonly remote: RemoteFile
      readonly wasDeleted: boolean
    }
  | { readonly kind: 'delete'; readonly path: string }
  /** Changed here and there: the file here gets another name, the one from there its own. */
  | { readonly kind: 'keep-both'; readonly path: string; readonly remote: RemoteFile }
  /** Changed here, deleted there: it stays, as a new file. */
  | { readonly kind: 'keep'; readonly path: string }
  /** The same on both sides: nothing but the base moves. */
  | { readonly kind: 'note'; readonly path: string; readonly remote: RemoteFile }

/** What has to happen here, so that this side has everything that happened there and loses nothing of its own. */
export function planPull(
  base: ReadonlyMap<string, BaseFile>,
  local: ReadonlyMap<string, LocalFile>,
  remote: ReadonlyMap<string, RemoteFile>,
): PullStep[] {
  return [...remote].map(([path, there]): PullStep => {
    const before = base.get(path)
    const here = local.get(path)
    if (here?.sha256 === there.content?.sha256) return { kind: 'note', path, remote: there }
    const isUntouched = here?.sha256 === before?.sha256
    if (there.content === null) return isUntouched ? { kind: 'delete', path } : { kind: 'keep', path }
    if (isUntouched) return { kind: 'fetch', path, remote: there, wasDeleted: false }
    return here === undefined
      ? { kind: 'fetch', path, remote: there, wasDeleted: true }
      : { kind: 'keep-both', path, remote: there }
  })
}

export type PushStep =
  | {
      readonly kind: 'put'
      readonly path: string
      readonly sha256: string
      readonly size: number
      readonly ifRevision: number | null
    }
  | { readonly kind: 'delete'; readonly path: string; readonly ifRevision: number }

/** What was changed here since both sides were the same. Deleted ones first: a path may be needed for a folder. */
export function planPush(
  base: ReadonlyMap<string, BaseFile>,
  local: ReadonlyMap<string, LocalFile>,
): PushStep[] {
  const deleted = [...base]
    .filter(([path]) => !local.has(path))
    .map(([path, { revision }]): PushStep => ({ kind: 'delete', path, ifRevision: revision }))
  const written = [...local]
    .filter(([path, { sha256 }]) => base.get(path)?.sha256 !== sha256)
    .map(([path, { sha256, size }]): PushStep => {
      const ifRevision = base.get(path)?.revision ?? null
      return { kind: 'put', path, sha256, size, ifRevision }
    })
  return [...deleted, ...written]
}

/** `notes (conflict 2026-11-18 102233).md`: beside the other one, and read as what it is. */
export function conflictName(path: string, now: Date, isTaken: (path: string) => boolean): string {
  const slash = path.lastIndexOf('/') + 1
  const dot = path.lastIndexOf('.')
  const end = dot > slash ? dot : path.length
  const stamp = now.toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '')
  for (let number = 1; ; number += 1) {
    const mark = number === 1 ? stamp : `${stamp} ${number}`
    const name = `${path.slice(0, end)} (conflict ${mark})${path.slice(end)}`
    if (!isTaken(name)) return name
  }
}
