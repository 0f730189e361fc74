import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { CannotWork, inspectKicad } from '../src/installation.io.ts'
import { runKicad } from '../src/kicad.io.ts'
import { runSandboxed, type SandboxLimits } from '../src/sandbox.io.ts'
import { demo, hasKicad, KICAD, LIMITS, startBoards, temporaryFolder } from './start.ts'

/** Runs a line of shell where KiCad would run. */
async function startSandbox() {
  const folder = await temporaryFolder()
  const project = join(folder.path, 'project')
  const output = join(folder.path, 'out')
  await mkdir(project)
  await mkdir(output)
  await writeFile(join(folder.path, 'canary'), 'of the machine')
  return {
    ...folder,
    project,
    output,
    run: (script: string, limits: Partial<SandboxLimits> = {}, signal = new AbortController().signal) =>
      runSandboxed({
        project,
        output,
        command: ['/usr/bin/bash', '-c', script],
        limits: { ...LIMITS, ...limits },
        signal,
      }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

const textOf = (outcome: Awaited<ReturnType<typeof runSandboxed>>) =>
  outcome.kind === 'exited' ? outcome.text : outcome.kind

/** KiCad takes seconds on a quiet machine. */
const PATIENCE = { timeout: 240_000 }

test.skipIf(!hasKicad)(
  '[H-40][H-44] the sandbox has no network and none of the machine’s files',
  PATIENCE,
  async () => {
    await using sandbox = await startSandbox()
    const canary = join(sandbox.path, 'canary')
    const script = [
      'ls /sys /home /root /var/lib /var/tmp /var/log /etc/passwd /etc/hostname /opt 2>&1 | grep -vc "No such"',
      `cat '${canary}' 2>&1 | grep -c 'No such'`,
      'tail -n +3 /proc/net/dev | grep -vc "lo:"',
      '(exec 3<>/dev/tcp/127.0.0.1/22) 2>&1 | grep -qi "refused\\|unreachable" && echo refused',
      '(echo x >/usr/x || echo x >/etc/x || echo x >/x) 2>&1 | grep -c "Read-only"',
      'ls /proc | grep -c "^[0-9]"',
    ].join('\n')
    const [listed, unseen, interfaces, refused, readOnly, processes] = textOf(
      await sandbox.run(script),
    ).split('\n')
    expect({ listed, unseen, interfaces, refused }).toEqual({
      listed: '0',
      unseen: '1',
      interfaces: '0',
      refused: 'refused',
    })
    expect(Number(readOnly)).toBeGreaterThan(0)
    // The shell, what it runs, and the first process of the sandbox.
    expect(Number(processes)).toBeLessThan(8)
  },
)

test.skipIf(!hasKicad)('[H-45] KiCad sees no variable of the worker', PATIENCE, async () => {
  process.env['PATCHBAY_TEST_SECRET'] = 'secret'
  try {
    await using sandbox = await startSandbox()
    const names = textOf(await sandbox.run('env')).match(/^\w+(?==)/gm)
    expect(names?.toSorted()).toEqual(['HOME', 'LANG', 'LC_ALL', 'PATH', 'PWD', 'SHLVL', 'TZ', '_'])
  } finally {
    delete process.env['PATCHBAY_TEST_SECRET']
  }
})

deepTest.skipIf(!hasKicad)(
  '[H-41] what takes too long, too much room, too many files or too much memory is ended',
  PATIENCE,
  async () => {
    await using sandbox = await startSandbox()
    expect((await sandbox.run('sleep 60', { seconds: 1 })).kind).toBe('too_slow')
    expect((await sandbox.run('while :; do :; done', { seconds: 1 })).kind).toBe('too_slow')
    const small = { outputBytes: 1024 ** 2 }
    const parts = 'for i in {1..20}; do head -c 200000 /dev/zero >/work/out/$i; done; sleep 60'
    expect((await sandbox.run(parts, small)).kind).toBe('too_large')
    const one = await sandbox.run('head -c 2000000 /dev/zero >/work/out/one', small)
    expect(one).not.toMatchObject({ code: 0 })
    const many = 'for i in {1..400}; do echo >/work/project/$i; done; sleep 60'
    expect((await sandbox.run(many, { outputFiles: 10 })).kind).toBe('too_large')
    const hungry = `python3 -c 'x = bytearray(512 * 1024 ** 2)' || x=$(head -c 400000000 /dev/zero | tr '\\0' x)`
    expect(await sandbox.run(hungry, { memoryBytes: 128 * 1024 ** 2 })).not.toMatchObject({ code: 0 })
  },
)

test.skipIf(!hasKicad)('[H-40] no process of it stays, however it ends', PATIENCE, async () => {
  await using sandbox = await startSandbox()
  // Known by how long it sleeps: a number that nothing else sleeps.
  const seconds = 100_000 + process.pid
  const isAlive = async () => {
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
      const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      if (words.split('\0').includes(String(seconds)) && words.startsWith('sleep')) return true
    }
    return false
  }
  const leave = `setsid sleep ${seconds} & disown; `
  await sandbox.run(`${leave} exit 0`)
  await waitUntil('it is gone after the end', async () => !(await isAlive()))
  const abort = new AbortController()
  const running = sandbox.run(`${leave} sleep 60`, {}, abort.signal)
  await waitUntil('it runs', isAlive)
  abort.abort()
  expect((await running).kind).toBe('aborted')
  await waitUntil('it is gone after an abort', async () => !(await isAlive()))
})

test.skipIf(!hasKicad)(
  '[H-65] what the system knows of its fonts is in the sandbox, and nothing else below /var',
  PATIENCE,
  async () => {
    await using sandbox = await startSandbox()
    const names = await readdir('/var/cache/fontconfig').catch(() => [])
    const script =
      'ls -A /var /var/cache; ls -A /var/cache/fontconfig | wc -l; echo x 2>&1 >/var/cache/fontconfig/x'
    const seen = textOf(await sandbox.run(script))
    expect(seen).toMatch(
      new RegExp(`^/var:\\ncache\\n\\n/var/cache:\\nfontconfig\\n${names.length}\\n.*Read-only file system`),
    )
  },
)

test.skipIf(!hasKicad)('[H-42] what stands behind a link is no result', PATIENCE, async () => {
  await using sandbox = await startSandbox()
  await using node = await startBoards()
  const files = await demo('pic_programmer')
  for (const [path, bytes] of Object.entries(files).filter(([name]) => !name.includes('/')))
    await writeFile(join(sandbox.project, path), bytes)
  const run = (operation: 'bom' | 'sheets' | 'erc') =>
    runKicad(
      { program: KICAD, limits: LIMITS },
      {
        job: { operation, options: {}, file: 'pic_programmer.kicad_sch' },
        project: sandbox.project,
        output: sandbox.output,
        objects: node.results,
        signal: new AbortController().signal,
      },
    )
  await symlink(join(sandbox.path, 'canary'), join(sandbox.output, 'bom.csv'))
  expect((await run('bom')).kind).toBe('failed')
  await mkdir(join(sandbox.output, 'erc.json'))
  expect((await run('erc')).kind).toBe('failed')
  expect(await readFile(join(sandbox.path, 'canary'), 'utf8')).toBe('of the machine')
  expect((await node.results.list({ limit: 10 })).objects).toEqual([])
})

test('[H-43] without KiCad, and without what the sandbox needs, there is no worker', async () => {
  await using folder = await temporaryFolder()
  const looking = inspectKicad('/usr/bin/kicad-cli-of-nobody', folder.path, LIMITS)
  await expect(looking).rejects.toThrow(CannotWork)
  await expect(looking).rejects.toThrow('Install')
})

test.skipIf(!hasKicad)('[H-43] what is no KiCad is told', PATIENCE, async () => {
  await using folder = await temporaryFolder()
  await expect(inspectKicad('/usr/bin/true', folder.path, LIMITS)).rejects.toThrow(CannotWork)
  const { version, engine } = await inspectKicad(KICAD, folder.path, LIMITS)
  expect(engine).toMatch(new RegExp(`^${version.replaceAll('.', String.raw`\.`)}\\+[0-9a-f]{8}$`))
  expect(await readdir(folder.path)).toEqual([])
})
