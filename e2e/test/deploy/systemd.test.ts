import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isInstalled, run } from './commands.ts'
import { parseAssignments, readText, ROOT } from './files.ts'
import { DRAIN_SECONDS, readServerConfig } from './server-config.ts'

const NAME = 'patchbay-server.service'
const unit = await readText(`deploy/systemd/${NAME}`)
const noSystemd = !isInstalled('systemd-analyze')

test('[DP-101] the server accepts what the unit and the example of its environment file give it', async () => {
  const [, assigned = ''] = /^Environment=(.*)$/m.exec(unit) ?? []
  const config = readServerConfig({
    ...parseAssignments(assigned.replaceAll(' ', '\n')),
    ...parseAssignments(await readText('deploy/systemd/server.env.example')),
  })
  expect(config).toMatchObject({
    publicUrl: 'https://patchbay.example.com',
    trustedProxies: ['127.0.0.1/32'],
  })
  expect(config.objectsUrl).toBe(`file:///var/lib/${directive('StateDirectory')}/objects`)
})

test('[DP-102] systemd waits longer than the server drains', () => {
  expect(Number(directive('TimeoutStopSec'))).toBeGreaterThan(DRAIN_SECONDS)
})

test.skipIf(noSystemd)('[DP-131] systemd accepts the unit without a remark', async () => {
  expect(await verify(runnable(unit))).toEqual({ code: 0, output: '' })
})

test.skipIf(noSystemd)('[DP-131] systemd would remark on a misspelt directive', async () => {
  const { output } = await verify(runnable(unit).replace('ProtectSystem=', 'ProtectSytem='))
  expect(output).toContain('ProtectSytem')
})

test.skipIf(noSystemd)('[DP-132] its exposure is rated 1.5 of 10 or less', async () => {
  const file = join(ROOT, 'deploy/systemd', NAME)
  const { code, output } = await run('systemd-analyze', [
    'security',
    '--offline=true',
    '--threshold=15',
    '--no-pager',
    file,
  ])
  expect({ code, rating: output.trim().split('\n').at(-1) }).toMatchObject({ code: 0 })
})

test('[DP-133] it starts again after a crash, but not after a faulty configuration', () => {
  expect(directive('Restart')).toBe('on-failure')
  expect(directive('RestartPreventExitStatus')).toBe('78')
})

function directive(name: string): string {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''
}

/** Paths that systemd looks for become ones of this machine; nothing else changes. */
function runnable(text: string): string {
  return text
    .replace('WorkingDirectory=/opt/patchbay', `WorkingDirectory=${ROOT}`)
    .replace('ExecStart=/usr/bin/node', `ExecStart=${process.execPath}`)
}

async function verify(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-unit-'))
  await writeFile(join(folder, NAME), text)
  const ended = await run('systemd-analyze', [
    'verify',
    '--man=no',
    '--recursive-errors=no',
    join(folder, NAME),
  ])
  await rm(folder, { recursive: true, force: true })
  return ended
}
