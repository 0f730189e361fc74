import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@patchbay/kernel/log'
import { SettableClock } from '@patchbay/testkit/clock'
import { openPasteFolder, type PasteFolderOptions } from '../../src/files/open-paste-folder.io.ts'
import type { NewPaste, PasteFolder, Stage, StoredPaste } from '../../src/ports.ts'

export const SIZE = { width: 900, height: 600 }
const log = createLog({ level: 'silent', process: 'test' })
/** In memory where that is possible: each change is flushed several times, and a busy disk takes its time over each flush. */
const PLACE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** A project in a folder of its own, gone with everything in it afterwards. */
export async function startProject(template?: Project): Promise<Project> {
  const path = await mkdtemp(join(PLACE, 'patchbay-pastes-'))
  if (template !== undefined) await cp(template.path, path, { recursive: true, verbatimSymlinks: true })
  const project = new Project(path)
  if (template !== undefined)
    project.clock.advance(template.clock.now().getTime() - project.clock.now().getTime())
  return project
}

export class Project implements AsyncDisposable {
  readonly path: string
  readonly folder: string
  readonly state: string
  readonly clock = new SettableClock('2026-03-04T05:06:07.089Z')

  constructor(path: string) {
    this.path = path
    this.folder = join(path, 'screenshots', 'sp')
    this.state = join(this.folder, '.viewer')
  }

  open(options: Partial<PasteFolderOptions> = {}): Promise<PasteFolder> {
    const now = () => this.clock.now()
    return openPasteFolder({ project: this.path, now, newId: randomUUID, log, ...options })
  }

  /** Something of somebody else, under a path below the folder of the pastes. */
  async write(path: string, content: string): Promise<void> {
    await mkdir(this.folder, { recursive: true })
    await writeFile(join(this.folder, path), content)
  }

  /** What is to be seen in the folder, but for what is hidden. */
  async files(): Promise<Record<string, string>> {
    const names = (await readdir(this.folder)).filter((name) => name !== '.viewer').toSorted()
    const texts = names.map(async (name) => {
      const path = join(this.folder, name)
      return [name, (await lstat(path)).isFile() ? await readFile(path, 'utf8') : '(no file)'] as const
    })
    return Object.fromEntries(await Promise.all(texts))
  }

  /** All that the viewer keeps for itself. */
  async kept(): Promise<string[]> {
    const all = await readdir(this.state, { recursive: true, withFileTypes: true })
    return all
      .filter((entry) => !entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name).slice(this.state.length + 1))
      .toSorted()
  }

  /** Of the pastes that are written down, removed ones as well. */
  async ids(): Promise<string[]> {
    return (await readdir(join(this.state, 'records'))).map((file) => file.replace('.json', '')).toSorted()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true })
  }
}

/** What the two files of a picture hold. */
export function contentOf(picture: string) {
  return { optimized: `optimized ${picture}`, original: `original ${picture}` }
}

export async function fill(stage: Stage, picture: string): Promise<void> {
  await writeFile(stage.incoming, picture)
  await writeFile(stage.optimized, contentOf(picture).optimized)
  await writeFile(stage.original, contentOf(picture).original)
}

export function newPaste(createdAt: Date, more: Partial<NewPaste> = {}): NewPaste {
  const optimized = { ...SIZE, bytes: 1 }
  const source = { type: 'image/png', bytes: 10 } as const
  const pictures = { source, optimized, original: { width: 1800, height: 1200, bytes: 1 } }
  return { createdAt, title: undefined, fileName: undefined, pictures, isNaming: true, ...more }
}

export async function addPaste(
  project: Project,
  folder: PasteFolder,
  picture: string,
  more: Partial<NewPaste> = {},
): Promise<StoredPaste> {
  const stage = await folder.stage()
  await fill(stage, picture)
  return await folder.add(stage, newPaste(project.clock.now(), more))
}

/** The files of a picture under a name. */
export function pair(name: string, picture: string, { width, height } = SIZE): Record<string, string> {
  const { optimized, original } = contentOf(picture)
  return {
    [`${name}-${width}x${height}.png`]: optimized,
    [`${name}-${width}x${height}-original.png`]: original,
  }
}
