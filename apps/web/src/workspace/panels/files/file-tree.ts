import { type ChangedPath, type ContentFile, foldersOf, foldPath } from '@patchbay/contracts/content'

/** A file as the tree needs it: who made it so is in its history. */
export type FileEntry = Pick<ContentFile, 'path' | 'revision' | 'size' | 'sha256' | 'mediaType'>

/** Everything that the tree shows, as a value that is replaced with every change. */
export interface FileTree {
  /** Of the workspace's files, up to which `files` tells what happened. */
  readonly revision: number
  readonly files: ReadonlyMap<string, FileEntry>
  /** Folders without a file, which are in this page alone: the server knows folders by what is in them. */
  readonly drafts: ReadonlySet<string>
  readonly expanded: ReadonlySet<string>
  /** The row that has the focus and that commands are about. */
  readonly current: string | undefined
}

export const NO_FILES: FileTree = {
  revision: 0,
  files: new Map(),
  drafts: new Set(),
  expanded: new Set(),
  current: undefined,
}

export type TreeAction =
  | { readonly type: 'loaded'; readonly revision: number; readonly files: readonly FileEntry[] }
  | { readonly type: 'changed'; readonly revision: number; readonly paths: readonly ChangedPath[] }
  | { readonly type: 'select'; readonly path: string | undefined }
  | { readonly type: 'expand' | 'collapse'; readonly path: string }
  /** Selects a path with all folders around it open. */
  | { readonly type: 'reveal'; readonly path: string }
  | { readonly type: 'draft' | 'discard'; readonly path: string }
  | { readonly type: 'moveDrafts'; readonly path: string; readonly to: string }

export function reduceTree(tree: FileTree, action: TreeAction): FileTree {
  switch (action.type) {
    case 'loaded':
      return settled(tree, {
        ...tree,
        revision: action.revision,
        files: new Map(action.files.map((file) => [file.path, file])),
      })
    case 'changed':
      return action.paths.length === 0 ? { ...tree, revision: action.revision } : withChanges(tree, action)
    case 'select':
      return { ...tree, current: action.path }
    case 'expand':
      return { ...tree, expanded: new Set([...tree.expanded, action.path]) }
    case 'collapse': {
      const isAround = tree.current !== undefined && isIn(tree.current, action.path)
      return {
        ...tree,
        expanded: new Set([...tree.expanded].filter((path) => path !== action.path)),
        // A row that nobody sees cannot have the focus.
        current: isAround ? action.path : tree.current,
      }
    }
    case 'reveal':
      return {
        ...tree,
        current: action.path,
        expanded: new Set([...tree.expanded, ...foldersOf(action.path)]),
      }
    case 'draft':
      return reduceTree(
        { ...tree, drafts: new Set([...tree.drafts, action.path]) },
        { type: 'reveal', path: action.path },
      )
    case 'discard':
      return settled(tree, {
        ...tree,
        drafts: new Set([...tree.drafts].filter((path) => !isIn(path, action.path))),
      })
    case 'moveDrafts': {
      const moved = (path: string) => movedPath(path, action.path, action.to) ?? path
      return {
        ...tree,
        drafts: new Set([...tree.drafts].map(moved)),
        expanded: new Set([...tree.expanded].map(moved)),
        current: tree.current === undefined ? undefined : moved(tree.current),
      }
    }
    default:
      return action satisfies never
  }
}

function withChanges(
  tree: FileTree,
  { revision, paths }: Extract<TreeAction, { readonly type: 'changed' }>,
): FileTree {
  const files = new Map(tree.files)
  for (const { path, revision: changedIn, content } of paths) {
    if (content === null) files.delete(path)
    else files.set(path, { path, revision: changedIn, ...content })
  }
  const next = { ...tree, revision, files }
  const moves = paths.flatMap(({ path, movedFrom }) => (movedFrom === null ? [] : moveOf(movedFrom, path)))
  const follow = followerOf(next, moves)
  return settled(tree, {
    ...next,
    expanded: new Set([...tree.expanded].map(follow)),
    current: tree.current === undefined ? undefined : follow(tree.current),
  })
}

interface Move {
  readonly from: string
  readonly to: string
}

/** What was moved: the file, and perhaps a folder around it that was given another name or place. */
function moveOf(from: string, to: string): Move[] {
  const [before, after] = [from.split('/'), to.split('/')]
  while (before.length > 1 && after.length > 1 && before.at(-1) === after.at(-1)) {
    before.pop()
    after.pop()
  }
  const folder = { from: before.join('/'), to: after.join('/') }
  return folder.from === from ? [folder] : [{ from, to }, folder]
}

/** Where a path is after moves. What is still there has not moved: perhaps a single file has left a folder. */
function followerOf(tree: FileTree, moves: readonly Move[]): (path: string) => string {
  const unique = new Map(moves.map(({ from, to }) => [from, to]))
  const folders = foldersIn(tree)
  return (path) => {
    if (tree.files.has(path) || folders.has(path)) return path
    for (const around of [path, ...foldersOf(path).toReversed()]) {
      const to = unique.get(around)
      const moved = to === undefined ? undefined : movedPath(path, around, to)
      if (moved !== undefined && (tree.files.has(moved) || folders.has(moved))) return moved
    }
    return path
  }
}

/** With drafts that have got a file gone, and the focus on a row that is there. */
function settled(before: FileTree, tree: FileTree): FileTree {
  const real = new Set([...tree.files.keys()].flatMap(foldersOf))
  const drafts = new Set([...tree.drafts].filter((path) => !real.has(path) && !tree.files.has(path)))
  const folders = new Set([...real, ...foldersIn({ files: new Map(), drafts })])
  const isThere = (path: string) => tree.files.has(path) || folders.has(path)
  if (tree.current === undefined || isThere(tree.current)) return { ...tree, drafts }
  const rows = rowsOf(before)
  const place = rows.findIndex(({ path }) => path === before.current)
  const neighbor = [...rows.slice(place + 1), ...rows.slice(0, Math.max(0, place)).toReversed()].find(
    ({ path }) => isThere(path),
  )
  return { ...tree, drafts, current: neighbor?.path }
}

function foldersIn({ files, drafts }: Pick<FileTree, 'files' | 'drafts'>): ReadonlySet<string> {
  return new Set([...[...files.keys()].flatMap(foldersOf), ...[...drafts].flatMap(foldersOf), ...drafts])
}

export interface Row {
  readonly path: string
  readonly name: string
  readonly kind: 'file' | 'folder'
  /** Of a file. */
  readonly file?: FileEntry
  /** Of a folder, with those in its folders. None: it is in this page alone. */
  readonly files: number
  readonly isExpanded: boolean
  /** From 1 on, as screen readers count. */
  readonly level: number
  readonly position: number
  readonly setSize: number
}

interface Folder {
  readonly folders: string[]
  readonly files: FileEntry[]
  count: number
}

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'variant' })

/** The rows from top to bottom: folders before files, each by name, and only what is in open folders. */
export function rowsOf({
  files,
  drafts,
  expanded,
}: Pick<FileTree, 'files' | 'drafts' | 'expanded'>): readonly Row[] {
  const folders = indexFolders(files, drafts)
  const rows: Row[] = []
  const add = (folder: Folder, level: number): void => {
    const inside = [...sorted(folder.folders, (path) => path), ...sorted(folder.files, ({ path }) => path)]
    const setSize = inside.length
    for (const [index, each] of inside.entries()) {
      const place = { level, position: index + 1, setSize }
      if (typeof each !== 'string') {
        const { path } = each
        rows.push({
          path,
          name: nameOf(path),
          kind: 'file',
          file: each,
          files: 1,
          isExpanded: false,
          ...place,
        })
        continue
      }
      const below = folders.get(each) ?? emptyFolder()
      const isExpanded = expanded.has(each)
      rows.push({ path: each, name: nameOf(each), kind: 'folder', files: below.count, isExpanded, ...place })
      if (isExpanded) add(below, level + 1)
    }
  }
  add(folders.get('') ?? emptyFolder(), 1)
  return rows
}

const emptyFolder = (): Folder => ({ folders: [], files: [], count: 0 })

function indexFolders(
  files: ReadonlyMap<string, FileEntry>,
  drafts: ReadonlySet<string>,
): ReadonlyMap<string, Folder> {
  const index = new Map([['', emptyFolder()]])
  const folderAt = (path: string): Folder => {
    const known = index.get(path)
    if (known !== undefined) return known
    const made = emptyFolder()
    index.set(path, made)
    folderAt(parentOf(path)).folders.push(path)
    return made
  }
  for (const file of files.values()) {
    folderAt(parentOf(file.path)).files.push(file)
    for (const path of foldersOf(file.path)) folderAt(path).count += 1
  }
  for (const path of drafts) folderAt(path)
  return index
}

function sorted<Item>(items: readonly Item[], pathOf: (item: Item) => string): Item[] {
  return items.toSorted((one, other) => byName.compare(nameOf(pathOf(one)), nameOf(pathOf(other))))
}

export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
/** Empty for what is in no folder. */
export const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))
export const joinPath = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`)
/** Whether it is this folder or something below it. */
export const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

/** The path of something after the folder around it, or it itself, was moved. `undefined` for what was not. */
export function movedPath(path: string, from: string, to: string): string | undefined {
  return isIn(path, from) ? to + path.slice(from.length) : undefined
}

/** Every file in a folder, or the file itself. */
export function filesBelow({ files }: FileTree, path: string): FileEntry[] {
  return [...files.values()].filter((file) => isIn(file.path, path))
}

/** The folder that new things go into: the chosen one, or the one around the chosen file. Empty for the whole. */
export function folderFor({ files, current }: FileTree): string {
  if (current === undefined) return ''
  return files.has(current) ? parentOf(current) : current
}

/** What stands at a path already, whatever its upper and lower case: a workspace holds no two of those. */
export function findTaken(tree: FileTree, path: string): string | undefined {
  const wanted = foldPath(path)
  const all = [...tree.files.keys(), ...foldersIn(tree)]
  return all.find((taken) => foldPath(taken) === wanted)
}

const PAGE = 20

/** What a key of the tree pattern does. Nothing for a key that is none of it. */
export function stepForKey(
  rows: readonly Pick<Row, 'path' | 'kind' | 'isExpanded' | 'level'>[],
  current: string | undefined,
  key: string,
): Extract<TreeAction, { readonly type: 'select' | 'expand' | 'collapse' }> | undefined {
  const place = rows.findIndex(({ path }) => path === current)
  const row = rows[place]
  const to = (index: number) => {
    const { path } = rows[Math.min(Math.max(index, 0), rows.length - 1)] ?? {}
    return path === undefined ? undefined : { type: 'select' as const, path }
  }
  switch (key) {
    case 'ArrowDown':
      return to(place + 1)
    case 'ArrowUp':
      return to(place - 1)
    case 'PageDown':
      return to(place + PAGE)
    case 'PageUp':
      return to(place - PAGE)
    case 'Home':
      return to(0)
    case 'End':
      return to(rows.length - 1)
    case 'ArrowRight':
      if (row?.kind !== 'folder') return row === undefined ? to(0) : undefined
      if (!row.isExpanded) return { type: 'expand', path: row.path }
      return rows[place + 1]?.level === row.level + 1 ? to(place + 1) : undefined
    case 'ArrowLeft':
      if (row === undefined) return to(0)
      if (row.isExpanded) return { type: 'collapse', path: row.path }
      return parentOf(row.path) === '' ? undefined : { type: 'select', path: parentOf(row.path) }
    default:
      return undefined
  }
}

/** The next row whose name begins with what was typed; the current one stays as long as it does. */
export function findTyped(
  rows: readonly Pick<Row, 'path' | 'name'>[],
  current: string | undefined,
  typed: string,
): string | undefined {
  const place = rows.findIndex(({ path }) => path === current)
  // The same letter again and again goes through all that begin with it.
  const isRepeated = new Set(typed).size === 1
  const wanted = (isRepeated ? typed.slice(0, 1) : typed).toLowerCase()
  const from = isRepeated ? place + 1 : Math.max(place, 0)
  return [...rows.slice(from), ...rows.slice(0, from)].find(({ name }) =>
    name.toLowerCase().startsWith(wanted),
  )?.path
}
