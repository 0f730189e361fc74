import { FILE_LIMITS } from '@patchbay/contracts/limits'
import { joinPath } from './file-tree.ts'

export interface PickedFile {
  /** Below the folder that it is put into. */
  readonly path: string
  readonly file: File
}

export interface Picked {
  readonly files: readonly PickedFile[]
  /** Folders that no workspace holds, such as `.git`. */
  readonly skipped: readonly string[]
  /** Whether there were more than a workspace holds. */
  readonly isCut: boolean
}

/** What a working copy keeps about itself; sent, each of their files would be refused on its own. */
const OF_TOOLS: ReadonlySet<string> = new Set(['.git', '.patchbay'])

/** Files and folders that were dropped, with all that is in them. The drop must be handed over before its event is over. */
export function readDropped({ items }: DataTransfer): Promise<Picked> {
  const entries = Array.from(items).flatMap((item) =>
    item.kind === 'file' ? [item.webkitGetAsEntry() ?? item.getAsFile()] : [],
  )
  return walk(entries)
}

async function walk(dropped: readonly (FileSystemEntry | File | null)[]): Promise<Picked> {
  const files: PickedFile[] = []
  const skipped: string[] = []
  const waiting = dropped.map((entry) => ({ entry, folder: '' }))
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { entry, folder } = next
    if (entry === null) continue
    if (files.length >= FILE_LIMITS.files) return { files, skipped, isCut: true }
    const path = joinPath(folder, entry.name)
    if (entry instanceof File) files.push({ path, file: entry })
    else if (isFile(entry)) files.push({ path, file: await fileOf(entry) })
    else if (isFolder(entry)) {
      if (OF_TOOLS.has(entry.name.toLowerCase())) skipped.push(path)
      else for (const inside of await entriesOf(entry)) waiting.push({ entry: inside, folder: path })
    }
  }
  return { files, skipped, isCut: false }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const entries: FileSystemEntry[] = []
  // A browser hands out a hundred at a time, and none when it is done.
  while (entries.length <= FILE_LIMITS.files) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) break
    entries.push(...some)
  }
  return entries
}

/** Files that were chosen, or a folder with all that is in it. */
export function readChosen(chosen: FileList): Picked {
  const all = Array.from(chosen, (file) => ({
    path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    file,
  }))
  const isOfTools = ({ path }: PickedFile) =>
    path
      .split('/')
      .slice(0, -1)
      .some((name) => OF_TOOLS.has(name.toLowerCase()))
  const folders = all.filter(isOfTools).map(({ path }) => path.replace(/(\.git|\.patchbay)\/.*$/i, '$1'))
  const files = all.filter((each) => !isOfTools(each))
  return {
    files: files.slice(0, FILE_LIMITS.files),
    skipped: [...new Set(folders)],
    isCut: files.length > FILE_LIMITS.files,
  }
}
