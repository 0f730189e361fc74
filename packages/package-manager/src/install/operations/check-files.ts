import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { InstalledFile } from '../installed-package.ts'
import { KNOWN_FOLDERS } from '../known-folders.ts'
import { folderNameOf, homeOf, treeOf } from '../layout.ts'
import { openPatterns } from '../stage/kept-patterns.ts'
import { walkTree } from '../stage/walk-tree.ts'
import type { InstalledState } from '../state/installed-state.ts'
import { readManifest } from '../state/manifest.ts'
import type { Workplace } from '../workplace.ts'
import { findInstalled } from './find-installed.ts'

export interface FileReport {
  readonly identifier: string
  readonly version: string
  /** Nothing is missing and nothing was changed. */
  readonly isWhole: boolean
  /** Paths from the root. */
  readonly missing: readonly string[]
  readonly changed: readonly string[]
  readonly added: readonly string[]
  /** When there is no record to compare with. */
  readonly isUnknown: boolean
}

const PIECE = 2 ** 20

/** Without an identifier: all packages, one after the other. */
export async function checkAll(
  place: Workplace,
  state: InstalledState,
  identifier?: string,
): Promise<FileReport[]> {
  const reports: FileReport[] = []
  for (const each of identifier === undefined ? [...state.keys()].toSorted() : [identifier])
    reports.push(await checkFiles(place, state, each))
  return reports
}

/** Compares the files of a package with what came in its archive. */
async function checkFiles(
  { layout }: Workplace,
  state: InstalledState,
  identifier: string,
): Promise<FileReport> {
  const { current } = findInstalled(state, identifier)
  const manifest = await readManifest(homeOf(layout, identifier, current.number))
  const expected = new Map((manifest?.files ?? []).map((file) => [file.path, file]))
  const keep = openPatterns(identifier, current.keep_on_update)
  const [changed, added]: [string[], string[]] = [[], []]
  for await (const path of listFiles(layout.root, identifier)) {
    const file = expected.get(path)
    expected.delete(path)
    if (keep.keeps(`/${path}`)) continue
    if (file === undefined) added.push(path)
    else if (!(await isSame(join(layout.root, path), file))) changed.push(path)
  }
  const missing = [...expected.keys()].filter((path) => !keep.keeps(`/${path}`))
  const isWhole = manifest !== undefined && missing.length === 0 && changed.length === 0
  const { version } = current
  return { identifier, version, isWhole, missing, changed, added, isUnknown: manifest === undefined }
}

/** A link in the place of a file is none of them: the file is missing. */
async function* listFiles(root: string, identifier: string): AsyncGenerator<string> {
  const name = folderNameOf(identifier)
  for (const folder of KNOWN_FOLDERS) {
    for await (const { path, kind } of walkTree(treeOf(root, folder, identifier))) {
      if (kind === 'file') yield `${folder}/${name}/${path}`
    }
  }
}

async function isSame(path: string, { size, sha256 }: InstalledFile): Promise<boolean> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: PIECE })) {
    hash.update(chunk)
    bytes += chunk.length
    if (bytes > size) return false
  }
  return bytes === size && hash.digest('hex') === sha256
}
