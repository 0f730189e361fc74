import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { measure, type ReleaseFile } from './packages.ts'
import { ROOT } from './workspace.ts'

const SHIPPED = ['patchbay', 'pyproject.toml', 'README.md']
/** Debian's has Debian's packages. */
const USUAL_PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'
/** The same sources give the same bytes. */
const MADE_AT = 'SOURCE_DATE_EPOCH=315532800'
/** What is installed here builds it: nothing is fetched. */
const ARGUMENTS = ['-m', 'pip', 'wheel', '--no-index', '--no-deps', '--no-build-isolation']

const run = promisify(execFile)

/** The Python client as a wheel. It is Python alone, so that one fits every system. */
export async function packPythonClient(out: string, python = USUAL_PYTHON): Promise<ReleaseFile> {
  const stage = await mkdtemp(join(tmpdir(), 'patchbay-wheel-'))
  try {
    for (const name of SHIPPED)
      await cp(join(ROOT, 'clients/python', name), join(stage, name), {
        recursive: true,
        filter: (path) => !path.endsWith('__pycache__'),
      })
    await run('env', [MADE_AT, python, ...ARGUMENTS, '--wheel-dir', out, stage]).catch((error: unknown) => {
      throw new Error(`The wheel could not be built. ${python} needs pip, setuptools and wheel.`, {
        cause: error,
      })
    })
    const wheel = (await readdir(out)).find((name) => name.endsWith('-py3-none-any.whl'))
    if (wheel === undefined) throw new Error('pip wrote no wheel')
    return await measure(join(out, wheel))
  } finally {
    await rm(stage, { recursive: true })
  }
}
