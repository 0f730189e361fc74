import { execFile } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** A project that has installed the packed package, as it would come from a registry. */
export async function installPacked(folder: string): Promise<void> {
  await run('pnpm', ['exec', 'tsc', '-b', 'packages/client'], { cwd: ROOT })
  for (const name of ['contracts', 'client']) {
    await run('pnpm', ['pack', '--pack-destination', folder], { cwd: join(ROOT, 'packages', name) })
    const home = join(folder, 'node_modules/@patchbay', name)
    await mkdir(home, { recursive: true })
    await run('tar', ['xzf', join(folder, `patchbay-${name}-0.1.0.tgz`), '--strip-components=1', '-C', home])
  }
  await symlink(join(ROOT, 'packages/contracts/node_modules/typebox'), join(folder, 'node_modules/typebox'))
}
