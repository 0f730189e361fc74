import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { measure, type ReleaseFile } from './packages.ts'
import { ROOT } from './workspace.ts'

const run = promisify(execFile)
const SUFFIX = '.cdx.json'

/** What each package consists of, in CycloneDX, from the lockfile: exact versions, licenses and hashes. */
export async function writeBills(names: readonly string[], out: string): Promise<ReleaseFile[]> {
  const filters = names.flatMap((name) => ['--filter', name])
  const form = ['--sbom-format', 'cyclonedx', '--prod', '--split', '--out', join(out, `%s-%v${SUFFIX}`)]
  await run('pnpm', [...filters, 'sbom', ...form], { cwd: ROOT })
  const written = (await readdir(out)).filter((file) => file.endsWith(SUFFIX)).toSorted()
  if (written.length !== names.length)
    throw new Error(`${written.length} bills of materials for ${names.length} packages`)
  return await Promise.all(written.map((file) => measure(join(out, file))))
}
