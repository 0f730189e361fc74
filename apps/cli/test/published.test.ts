import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { installPacked, type PackedManifest } from '@patchbay/testkit/packed'
import { afterAll, beforeAll, describe, expect } from 'vitest'

const run = promisify(execFile)
const README = new URL('../README.md', import.meta.url)
const NODES = {
  'this Node': process.execPath,
  // The oldest that the package promises to run on.
  'the oldest Node': process.env['PATCHBAY_OLD_NODE'],
}

let folder: string
let manifest: PackedManifest

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'patchbay-cli-')))
  manifest = await installPacked('cli', folder)
}, 240_000)

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

test('[CLI-184] whoever installs the command gets no driver, no engine and no process', async () => {
  expect(Object.keys(manifest.dependencies ?? {}).toSorted()).toEqual([
    '@patchbay/client',
    '@patchbay/contracts',
    '@patchbay/device-kit',
    '@patchbay/device-simulator',
    '@patchbay/package-archive',
    '@patchbay/package-format',
    '@patchbay/package-manager',
    '@patchbay/package-trust',
    '@patchbay/primitives',
    'commander',
    'fastest-levenshtein',
  ])
  const heavy = /^(fastify|pg|kysely|ioredis|sharp|pino|openai)$/
  expect((await readdir(join(folder, 'node_modules'))).filter((name) => heavy.test(name))).toEqual([])
})

describe.each(Object.entries(NODES).filter(([, path]) => path !== undefined))('on %s', (_name, node = '') => {
  /** A home with `patchbay` on the path, as npm puts it there. */
  async function createHome() {
    const home = await mkdtemp(join(folder, 'home-'))
    const bin = join(home, 'bin')
    await mkdir(bin)
    const command = join(folder, 'node_modules/@patchbay/cli', manifest.bin?.['patchbay'] ?? '')
    await writeFile(join(bin, 'patchbay'), `#!/bin/sh\nexec '${node}' '${command}' "$@"\n`)
    await chmod(join(bin, 'patchbay'), 0o755)
    const env = { HOME: home, PATH: `${bin}${delimiter}${process.env['PATH']}` }
    return {
      home,
      sh: (script: string) => run('sh', ['-ec', script], { cwd: home, env }),
    }
  }

  deepTest('[CLI-184] the first steps of the README work as they are', async () => {
    const { home, sh } = await createHome()
    const [, script = ''] =
      /## First steps[\s\S]*?```sh\n([\s\S]*?)```/.exec(await readFile(README, 'utf8')) ?? []
    expect(script.split('\n').length).toBeGreaterThan(3)
    const { stdout, stderr } = await sh(script)
    expect(stderr).not.toContain('Warning')
    expect(stdout).toContain('com.example.blinky')
    const packages = JSON.parse(await readFile(join(home, 'public/packages.json'), 'utf8'))
    expect(packages).toMatchObject({ packages: [{ identifier: 'com.example.blinky' }] })
  })

  test('[CLI-184] it says its version and nothing else', async () => {
    const { sh } = await createHome()
    const { stdout, stderr } = await sh('patchbay --version')
    expect([stdout, stderr]).toEqual([`${manifest.version}\n`, ''])
  })

  test('[CLI-185] the version comes within three times what Node takes to start', async () => {
    const { home, sh } = await createHome()
    const best = { node: Infinity, version: Infinity }
    const time = async (name: keyof typeof best, script: string) => {
      const begun = performance.now()
      await sh(script)
      best[name] = Math.min(best[name], performance.now() - begun)
    }
    for (let round = 0; round < 20 && best.version >= 3 * best.node; round += 1) {
      await time('node', `'${node}' -e 0`)
      // Cold: nothing that was compiled before is there.
      await rm(join(home, '.cache'), { recursive: true, force: true })
      await time('version', 'patchbay --version')
    }
    expect(best.version / best.node).toBeLessThan(3)
  })

  deepTest('[CLI-184] completion works from the installed command', async () => {
    const { sh } = await createHome()
    const typed = 'COMP_WORDS=(patchbay package p); COMP_CWORD=2; _patchbay; echo "${COMPREPLY[*]}"'
    const { stdout } = await sh(`bash -c 'source <(patchbay completion bash); ${typed}'`)
    expect(stdout).toBe('pack publish\n')
  })

  test('[CLI-186] "patchbay dev" says why it cannot be fetched, and leaves nothing half done', async () => {
    const { home, sh } = await createHome()
    await writeFile(join(home, '.npmrc'), '@patchbay:registry=http://127.0.0.1:1/\nfetch-retries=0\n')
    const start = () =>
      sh('patchbay dev').then(
        () => ({ code: 0, stderr: '' }),
        (error: unknown) => error as { code: number; stderr: string },
      )
    const isNew = node === process.execPath
    const failure = await start()
    expect(failure.code).toBe(69)
    expect(failure.stderr).toContain(
      isNew
        ? `@patchbay/dev ${manifest.version} could not be fetched: npm did not install it`
        : '"patchbay dev" needs Node 24 or newer; this is v20',
    )
    const cache = join(home, '.cache/patchbay/dev')
    expect(await readdir(cache).catch(() => [])).toEqual([])
    await mkdir(cache, { recursive: true })
    await chmod(cache, 0o777)
    expect((await start()).stderr).toContain(
      isNew ? 'belongs to somebody else, or others may write' : 'Node 24',
    )
  }, 120_000)

  deepTest.each(['server', 'gateway', 'watchdog run', 'viewer', 'openapi', 'config reference'])(
    '[CLI-184] "patchbay %s" says what it needs',
    async (words) => {
      const { sh } = await createHome()
      const failure = await sh(`patchbay ${words}`).then(
        () => ({ code: 0, stderr: '' }),
        (error: unknown) => error as { code: number; stderr: string },
      )
      const [wanted] = words.split(' ')
      const name = wanted === 'openapi' || wanted === 'config' ? 'server' : wanted
      expect(failure.code).toBe(69)
      expect(failure.stderr.replace(/this is v\d+\.\d+\.\d+/, 'this is an older one')).toBe(
        node === process.execPath
          ? `The ${name} is a package of its own. Install it with:\n  npm install --global @patchbay/${name === 'server' ? name : `${name}-app`}@${manifest.version}\n`
          : `The ${name} needs Node 24 or newer; this is an older one.\n`,
      )
    },
  )
})
