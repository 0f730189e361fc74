import { lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string
  at(...segments: readonly string[]): string
  write(path: string, content: string | Buffer): Promise<string>
}

export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-archive-'))
  const at = (...segments: readonly string[]) => join(path, ...segments)
  return {
    path,
    at,
    async write(name, content) {
      await mkdir(dirname(at(name)), { recursive: true })
      await writeFile(at(name), content)
      return at(name)
    },
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true })
    },
  }
}

/** Everything below a folder: kind, size and times of each name. */
export async function snapshot(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true })
  const lines = await Promise.all(
    names.map(async (name) => {
      const stats = await lstat(join(folder, name), { bigint: true })
      return [name, `${stats.mode} ${stats.isFile() ? stats.size : ''} ${stats.mtimeNs}`] as const
    }),
  )
  return Object.fromEntries(lines.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
