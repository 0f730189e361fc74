import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packPythonClient } from '../src/python-client.ts'
import { ROOT, readManifest } from '../src/workspace.ts'

const run = promisify(execFile)
const LIST = 'import sys, zipfile; print("\\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))'

test('[RL-13] the Python client is packed as a wheel of the release, twice the same', async () => {
  await using cleanup = new AsyncDisposableStack()
  const pack = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-wheel-test-'))
    cleanup.defer(() => rm(folder, { recursive: true }))
    return await packPythonClient(folder)
  }
  const first = await pack()
  const { version } = readManifest(join(ROOT, 'package.json'))
  expect(basename(first.file)).toBe(`patchbay-${version}-py3-none-any.whl`)
  const { stdout } = await run('python3', ['-c', LIST, first.file])
  const names = stdout.trim().split('\n')
  expect(names).toEqual(
    expect.arrayContaining(['patchbay/client.py', 'patchbay/py.typed', 'patchbay/types/files.py']),
  )
  expect(names.filter((name) => !/^patchbay(?:\/|-[\d.]+\.dist-info\/)/.test(name))).toEqual([])
  expect(await pack()).toMatchObject({ sha256: first.sha256 })
})
