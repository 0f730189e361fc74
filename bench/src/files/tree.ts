import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface TreeSizes {
  readonly files: number
  readonly bytes: number
}

/** A hundred to a folder, as a project has them; of different lengths, and nothing that would compress. */
export async function makeTree(root: string, { files, bytes }: TreeSizes): Promise<void> {
  const mean = Math.floor(bytes / files)
  for (let number = 0; number < files; number += 1) {
    const folder = join(root, `part-${String(Math.floor(number / 100)).padStart(3, '0')}`)
    if (number % 100 === 0) await mkdir(folder, { recursive: true })
    const length = Math.round(mean * (0.5 + (number % 101) / 100))
    await writeFile(join(folder, `file-${String(number % 100).padStart(2, '0')}.bin`), randomBytes(length))
  }
}

export interface TreeFacts {
  readonly files: number
  readonly bytes: number
  readonly sha256: string
}

/** Of what a project holds: folders of tools, whose names begin with a dot, are left out. */
export async function readTree(root: string): Promise<TreeFacts> {
  const hash = createHash('sha256')
  let files = 0
  let bytes = 0
  const entries = await readdir(root, { recursive: true })
  for (const path of entries.filter((each) => !each.startsWith('.')).toSorted()) {
    const full = join(root, path)
    if (!(await stat(full)).isFile()) continue
    const content = await readFile(full)
    hash.update(`${path}\0${content.length}\0`).update(content)
    files += 1
    bytes += content.length
  }
  return { files, bytes, sha256: hash.digest('hex') }
}

/** A copy that lacks something, or has something else, has been no copy, however fast it was. */
export function requireSame(side: string, expected: TreeFacts, found: TreeFacts): void {
  if (expected.sha256 !== found.sha256)
    throw new Error(
      `${side} has ${found.files} files of ${found.bytes} bytes, not the ${expected.files} of ${expected.bytes}`,
    )
}
