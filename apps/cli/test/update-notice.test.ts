import { chmod, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '@patchbay/testkit/processes'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isNewer, updateNotice } from '../src/update-notice.ts'

const DAY_MS = 86_400_000

describe('[CLI-189] the notice of a newer version', () => {
  let folder: string
  let asked: string

  // What npm is does not matter here, only what it says: the real one is asked by the deep run's registry.
  beforeEach(async () => {
    const base = await mkdtemp(join(tmpdir(), 'patchbay-update-'))
    folder = join(base, 'cache')
    asked = join(base, 'asked')
    await mkdir(join(base, 'bin'))
    await writeFile(join(base, 'bin/npm'), `#!/bin/sh\necho "$@" >> '${asked}'\necho 9.8.7\n`)
    await chmod(join(base, 'bin/npm'), 0o755)
    vi.stubEnv('PATH', `${join(base, 'bin')}:/usr/bin:/bin`)
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await rm(join(folder, '..'), { recursive: true, force: true })
  })

  const notice = (more: { environment?: Record<string, string>; now?: number } = {}) =>
    updateNotice({ environment: {}, folder, version: '0.1.0', now: Date.now(), ...more })
  const file = () => join(folder, 'latest-version')
  const answered = () =>
    waitUntil('npm has answered', async () => (await readFile(file(), 'utf8').catch(() => '')) === '9.8.7\n')
  const timesAsked = async () => (await readFile(asked, 'utf8')).split('\n').length - 1

  test('comes with the command after the one that asked, and once a day npm is asked again', async () => {
    expect(notice()).toBeUndefined()
    await answered()
    expect(notice()).toContain('Patchbay 9.8.7 is out, and this is 0.1.0.')
    expect(await timesAsked()).toBe(1)
    const old = new Date(Date.now() - 2 * DAY_MS)
    await utimes(file(), old, old)
    expect(notice()).toContain('9.8.7')
    await waitUntil('npm is asked again', async () => (await timesAsked()) === 2)
    await answered()
  })

  test.each([{ PATCHBAY_UPDATE_NOTICE: 'off' }, { CI: 'true' }])(
    'is not there with %j, and nobody is asked',
    async (environment) => {
      expect(notice({ environment })).toBeUndefined()
      await expect(readFile(file())).rejects.toThrow('ENOENT')
    },
  )

  test('is not there for an answer that is no version, nor without npm', async () => {
    await mkdir(folder, { mode: 0o700 })
    await writeFile(file(), '\u001b[31mnonsense')
    expect(notice()).toBeUndefined()
    vi.stubEnv('PATH', '/nowhere')
    await rm(file())
    expect(notice()).toBeUndefined()
  })
})

test.each([
  ['0.2.0', '0.1.9', true],
  ['0.10.0', '0.9.0', true],
  ['1.0.0', '0.9.9', true],
  ['0.1.0', '0.1.0', false],
  ['0.1.0', '0.2.0', false],
  ['0.1.0-rc.1', '0.0.1', false],
  ['', '0.1.0', false],
])('[CLI-189] %j is newer than %s: %s', (candidate, version, expected) => {
  expect(isNewer(candidate, version)).toBe(expected)
})
