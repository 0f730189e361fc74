import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Terminal } from '../identity/journey/terminal.ts'

/** What a folder holds: each path with its bytes, a character for each, so that a difference can be read. */
export type Files = Readonly<Record<string, string>>

/** The machine of one person, where they type and keep files. */
export interface Computer {
  readonly home: string
  /** Without quotes: words are apart by spaces. Answers what was printed, and fails unless all went well. */
  types(line: string): Promise<string>
  /** The same, for what is expected not to go well. */
  isRefused(line: string): Promise<string>
  write(path: string, content: string): Promise<void>
  read(path: string): Promise<string>
  remove(path: string): Promise<void>
  /** Of a folder below the home. */
  files(folder: string): Promise<Files>
}

export function computerAt(terminal: Terminal, environment: Record<string, string> = {}): Computer {
  const { home } = terminal
  const run = async (line: string) => {
    const [program, ...args] = line.split(' ')
    if (program !== 'patchbay') throw new Error(`nobody here knows ${line}`)
    return await terminal.run(args, environment)
  }
  return {
    home,
    async types(line) {
      const { exitCode, output } = await run(line)
      if (exitCode !== 0) throw new Error(`${line} ended with ${exitCode}:\n${output}`)
      return output
    },
    async isRefused(line) {
      const { exitCode, output } = await run(line)
      if (exitCode !== 1) throw new Error(`${line} ended with ${exitCode} instead of 1:\n${output}`)
      return output
    },
    async write(path, content) {
      await mkdir(dirname(join(home, path)), { recursive: true })
      await writeFile(join(home, path), content, 'latin1')
    },
    read: (path) => readFile(join(home, path), 'latin1'),
    remove: (path) => rm(join(home, path)),
    files: (folder) => filesIn(join(home, folder)),
  }
}

/** Without what the manager keeps for itself. */
async function filesIn(folder: string): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('.patchbay'))
  return Object.fromEntries(
    await Promise.all(
      paths.toSorted().map(async (path) => [path, await readFile(join(folder, path), 'latin1')] as const),
    ),
  )
}
