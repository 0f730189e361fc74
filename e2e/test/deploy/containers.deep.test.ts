import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '@patchbay/testkit/ports'
import { startPostgres } from '@patchbay/testkit/postgres'
import { waitUntil } from '@patchbay/testkit/processes'
import { startRedis } from '@patchbay/testkit/redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isInstalled, run } from './commands.ts'
import { ROOT } from './files.ts'

const NEEDED = ['buildah', 'podman', 'runc', 'mmdebstrap']
const MIB = 1_048_576
/** What somebody waits for a pull of, at most. */
const MOST_BYTES = 250 * MIB
const BUILD_MINUTES = 20

/** Debian and Node: the images that the Dockerfile names cannot be had without a registry of images. */
const BASES = {
  build: `FROM scratch
ADD build.tar /
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY ca.crt /etc/ssl/certs/ca-certificates.crt
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
`,
  runtime: `FROM scratch
ADD runtime.tar /
COPY node /nodejs/bin/node
`,
}

describe.skipIf(!NEEDED.every(isInstalled))('[DP-115] images, built and run', () => {
  let folder: string
  const store = () => ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')]

  const must = async (program: string, ...args: string[]) => {
    const ended = await run(program, args, { cwd: ROOT, timeoutMs: BUILD_MINUTES * 60_000 })
    if (ended.code !== 0)
      throw new Error(`${program} ${args.join(' ')} ended with ${ended.code}:\n${ended.output.slice(-4_000)}`)
    return ended.output
  }
  const build = (...args: string[]) =>
    must(
      'buildah',
      ...store(),
      'bud',
      '--isolation=chroot',
      '--format',
      'docker',
      '--pull-never',
      '--layers',
      ...args,
    )
  const podman = (...args: string[]) =>
    must('podman', ...store(), '--runtime', 'runc', '--cgroup-manager', 'cgroupfs', ...args)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'patchbay-images-'))
    const bases = join(folder, 'bases')
    await mkdir(bases)
    await must(
      'mmdebstrap',
      '--quiet',
      '--variant=minbase',
      '--include=ca-certificates',
      'bookworm',
      join(bases, 'build.tar'),
    )
    await must(
      'mmdebstrap',
      '--quiet',
      '--variant=extract',
      '--include=libc6,libstdc++6,libgcc-s1',
      'bookworm',
      join(bases, 'runtime.tar'),
    )
    await cp(process.execPath, join(bases, 'node'))
    const npm = (await must('sh', '-c', 'command -v npm')).trim()
    await cp(dirname(dirname(await realpath(npm))), join(bases, 'npm'), {
      recursive: true,
      dereference: true,
    })
    await cp(
      process.env['NODE_EXTRA_CA_CERTS'] ?? '/etc/ssl/certs/ca-certificates.crt',
      join(bases, 'ca.crt'),
    )
    for (const [name, text] of Object.entries(BASES)) {
      await writeFile(join(bases, name), text)
      await build('--file', join(bases, name), '--tag', `localhost/test-${name}`, bases)
    }
    const from = ['BUILD_IMAGE=localhost/test-build', 'RUNTIME_IMAGE=localhost/test-runtime']
    const args = from.flatMap((each) => ['--build-arg', each])
    for (const target of ['server', 'gateway'])
      await build(
        ...args,
        '--file',
        'deploy/Dockerfile',
        '--target',
        target,
        '--tag',
        `localhost/${target}`,
        '.',
      )
  }, BUILD_MINUTES * 60_000)

  afterAll(async () => {
    await run('buildah', [...store(), 'rmi', '--all', '--force'])
    await rm(folder, { recursive: true, force: true })
  }, 120_000)

  /** As Compose and Kubernetes start it: nothing to write to but what is named, nothing to gain. */
  async function start(image: string, environment: Record<string, string>) {
    const settings = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`])
    const name = `patchbay-${image}-test`
    const limits = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096']
    const closed = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges']
    const volumes = image === 'server' ? ['--volume', 'patchbay-test:/var/lib/patchbay'] : []
    await podman(
      'run',
      '--detach',
      '--name',
      name,
      '--network',
      'host',
      ...limits,
      ...closed,
      ...volumes,
      ...settings,
      `localhost/${image}`,
    )
    return {
      exec: (...words: string[]) => podman('exec', name, ...words),
      isHealthy: async () =>
        (
          await run('podman', [
            ...store(),
            '--runtime',
            'runc',
            '--cgroup-manager',
            'cgroupfs',
            'healthcheck',
            'run',
            name,
          ])
        ).code === 0,
      /** How long SIGTERM took, and what came of it. */
      async stop() {
        const begun = performance.now()
        await podman('stop', '--time', '40', name)
        const code = (await podman('inspect', '--format', '{{.State.ExitCode}}', name))
          .trim()
          .split('\n')
          .at(-1)
        return { code, seconds: (performance.now() - begun) / 1_000 }
      },
      [Symbol.asyncDispose]: async () =>
        void (await run('podman', [
          ...store(),
          '--runtime',
          'runc',
          '--cgroup-manager',
          'cgroupfs',
          'rm',
          '--force',
          name,
        ])),
    }
  }

  const ready = (url: string) => () =>
    fetch(`${url}/ready`).then(
      ({ ok }) => ok,
      () => false,
    )

  test.each(['server', 'gateway'])(
    '[DP-115] the image of the %s is small, and has no tools and nothing of others',
    async (image) => {
      const bytes = Number(
        (await podman('image', 'inspect', '--format', '{{.Size}}', `localhost/${image}`))
          .trim()
          .split('\n')
          .at(-1),
      )
      expect(bytes).toBeLessThan(MOST_BYTES)
      const others = [
        '/bin/sh',
        '/usr/bin/apt',
        '/usr/local/bin/npm',
        '/app/apps/viewer',
        '/app/areas/viewer',
        '/app/apps/dev',
        '/app/.git',
      ]
      const script = `process.stdout.write(JSON.stringify(${JSON.stringify(others)}.filter((path) => require('fs').existsSync(path))))`
      const found = await podman(
        'run',
        '--rm',
        '--network',
        'host',
        '--ulimit',
        'nofile=4096:4096',
        '--ulimit',
        'nproc=4096:4096',
        '--entrypoint',
        'node',
        `localhost/${image}`,
        '--eval',
        script,
      )
      expect(found).toContain('[]')
      process.stdout.write(`image of the ${image}: ${Math.round(bytes / MIB)} MiB\n`)
    },
    120_000,
  )

  test('[DP-115] the server runs without root, writes nowhere, is healthy, serves, and drains', async () => {
    await using postgres = await startPostgres()
    await using redis = await startRedis()
    const port = await freePort()
    const begun = performance.now()
    await using server = await start('server', {
      DATABASE_URL: await postgres.createDatabase('image'),
      REDIS_URL: redis.url,
      PATCHBAY_HOST: '127.0.0.1',
      PATCHBAY_PORT: String(port),
      PATCHBAY_PROXY_URL: 'off',
    })
    const url = `http://127.0.0.1:${port}`
    await waitUntil('the server is ready', ready(url), { deadlineMs: 60_000 })
    process.stdout.write(`the server was ready after ${Math.round(performance.now() - begun)} ms\n`)
    expect(await server.isHealthy()).toBe(true)
    expect(await server.exec('node', '--print', 'process.getuid()')).toContain('1000')
    const write =
      "try { require('fs').writeFileSync('/app/x', '') } catch (error) { console.log(error.code) }"
    expect(await server.exec('node', '--eval', write)).toContain('EROFS')
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('<div id="root">')
    expect(await server.exec('node', 'apps/cli/src/main.ts', 'admin', 'link')).toContain(
      '/welcome?invitation=',
    )
    const { code, seconds } = await server.stop()
    expect(code).toBe('0')
    expect(seconds).toBeLessThan(35)
  }, 180_000)

  test('[DP-115] the gateway runs without root, is healthy and drains', async () => {
    const port = await freePort()
    await using gateway = await start('gateway', {
      PATCHBAY_GATEWAY_HOST: '127.0.0.1',
      PATCHBAY_GATEWAY_PORT: String(port),
      PATCHBAY_GATEWAY_DELIVERY: 'confirm',
    })
    await waitUntil('the gateway is ready', ready(`http://127.0.0.1:${port}`), { deadlineMs: 60_000 })
    expect(await gateway.isHealthy()).toBe(true)
    expect(await gateway.exec('node', '--print', 'process.getuid()')).toContain('1000')
    expect((await gateway.stop()).code).toBe('0')
  }, 180_000)
})
