import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { startOAuthFlow } from '@patchbay/oauth-client'
import { writeImageRecord } from '@patchbay/release/images'
import { sharedChromium } from '@patchbay/testkit/chromium'
import { freePort } from '@patchbay/testkit/ports'
import { startPostgres } from '@patchbay/testkit/postgres'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { startRedis } from '@patchbay/testkit/redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkContract, moveIn } from '../contract/check-contract.ts'
import { openBrowser } from '../identity/journey/person-browser.ts'
import { Trail } from '../identity/journey/trail.ts'
import { isInstalled } from './commands.ts'
import { type Containers, openContainers } from './containers.ts'
import { parseAssignments, ROOT, readText } from './files.ts'
import { BASE_IMAGES, buildEngines, buildImages, IMAGES } from './images.ts'
import { NOT_PLAYED, overlayOf, secretOf } from './podman-kubernetes.ts'

const NEEDED = ['buildah', 'podman', 'runc', 'mmdebstrap', 'catatonit']
const MIB = 1_048_576
/** What somebody waits for a pull of, at most. */
const MOST_BYTES = 250 * MIB
const BUILD_MINUTES = 20
const PATIENCE = { deadlineMs: 120_000, intervalMs: 1_000 }
/** The names that compose.yaml has. */
const ENGINES = { postgres: 'docker.io/library/postgres:18', valkey: 'docker.io/valkey/valkey:8' }
const ADMIN_LINK = ['node', 'apps/cli/src/main.ts', 'admin', 'link']

/** Each package that is there itself and not as a link to it: `name@version`. */
const LIST_PACKAGES = `
  const { globSync, lstatSync, readFileSync } = require('fs')
  const found = globSync('/app/node_modules/.pnpm/*/node_modules/{*,@*/*}/package.json')
  const own = found.filter((file) => !lstatSync(file.slice(0, -'/package.json'.length)).isSymbolicLink())
  const named = own.map((file) => JSON.parse(readFileSync(file, 'utf8')))
  process.stdout.write(JSON.stringify(named.map(({ name, version }) => name + '@' + version)))`

const isReady = (url: string) => () =>
  fetch(`${url}/ready`).then(
    ({ ok }) => ok,
    () => false,
  )

describe.skipIf(!NEEDED.every(isInstalled))('[DP-115] images, built and run', () => {
  let containers: Containers
  beforeAll(async () => {
    containers = await openContainers()
    await buildImages(containers)
  }, BUILD_MINUTES * 60_000)
  afterAll(() => containers[Symbol.asyncDispose](), 120_000)

  const podman = (...args: string[]) => containers.podman(...args)
  const exitCode = async (name: string) =>
    (await podman('inspect', '--format', '{{.State.ExitCode}}', name)).trim()

  const expectCleanEnd = async (name: string) => {
    const code = await exitCode(name)
    const said = code === '0' ? '' : await podman('logs', '--tail', '30', name)
    expect({ name, code, said }).toEqual({ name, code: '0', said: '' })
  }

  /** As Compose and Kubernetes start it: nothing to write to but what is named, nothing to gain. */
  async function start(image: keyof typeof IMAGES, environment: Record<string, string>) {
    const settings = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`])
    const name = `patchbay-${image}-test`
    const closed = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges']
    const volumes = image === 'server' ? ['--volume', 'patchbay-test:/var/lib/patchbay'] : []
    const given = ['--network', 'host', ...closed, ...volumes, ...settings]
    await podman('run', '--detach', '--pull=never', '--name', name, ...given, IMAGES[image])
    return {
      exec: (...words: string[]) => podman('exec', name, ...words),
      isHealthy: () => containers.succeeds('healthcheck', 'run', name),
      /** How long SIGTERM took, and what came of it. */
      async stop() {
        const begun = performance.now()
        await podman('stop', '--time', '40', name)
        return { code: await exitCode(name), seconds: (performance.now() - begun) / 1_000 }
      },
      [Symbol.asyncDispose]: async () => void (await containers.succeeds('rm', '--force', name)),
    }
  }

  test.each(['server', 'gateway'] as const)(
    '[DP-115] the image of the %s is small, and has no tools and nothing of others',
    async (image) => {
      const bytes = Number(await podman('image', 'inspect', '--format', '{{.Size}}', IMAGES[image]))
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
      const node = ['run', '--rm', '--pull=never', '--entrypoint', 'node', IMAGES[image]]
      const found = await podman(...node, '--eval', script)
      expect(found).toContain('[]')
      process.stdout.write(`image of the ${image}: ${Math.round(bytes / MIB)} MiB\n`)
    },
    120_000,
  )

  test.each(['server', 'gateway'] as const)(
    '[DP-362] the bill of the %s lists the packages that are in it, and its provenance names what was built',
    async (image) => {
      const { folder, run } = containers
      const inspect = async (field: string, name: string) =>
        (await podman('image', 'inspect', '--format', `{{.${field}}}`, name)).trim()
      // What a registry would be sent: its layers are compressed, so that its digest is another than in the store.
      const pushed = join(folder, `pushed-${image}`)
      const noted = `${pushed}.digest`
      await run('buildah', ['push', '--quiet', '--digestfile', noted, IMAGES[image], `dir:${pushed}`])
      const digest = await readFile(noted, 'utf8')
      const manifest = await readFile(join(pushed, 'manifest.json'))
      expect(`sha256:${createHash('sha256').update(manifest).digest('hex')}`).toBe(digest)
      const { config } = JSON.parse(String(manifest)) as { readonly config: { readonly digest: string } }
      expect(config.digest).toBe(`sha256:${await inspect('Id', IMAGES[image])}`)

      const commit = (await run('git', ['rev-parse', 'HEAD'])).trim()
      const [build, runtime] = await Promise.all(
        Object.values(BASE_IMAGES).map(async (name) => `${name}@${await inspect('Digest', name)}`),
      )
      const bases = { build: build ?? '', runtime: runtime ?? '' }
      const { files } = await writeImageRecord(image, folder, { digest, commit, bases })
      const [bill, provenance] = await Promise.all(
        files.map(async ({ file }) => JSON.parse(await readFile(file, 'utf8'))),
      )
      expect(provenance.subject).toEqual([
        { name: `patchbay-${image}`, digest: { sha256: digest.slice('sha256:'.length) } },
      ])
      const materials = JSON.stringify(provenance.predicate.buildDefinition.resolvedDependencies)
      for (const hash of [commit, ...Object.values(bases).map((base) => base.slice(-64))])
        expect(materials).toContain(hash)

      const node = ['run', '--rm', '--pull=never', '--entrypoint', 'node', IMAGES[image]]
      const installed: readonly string[] = JSON.parse(await podman(...node, '--eval', LIST_PACKAGES))
      const listed = (bill.components as readonly { readonly purl: string }[])
        .map(({ purl }) => decodeURIComponent(purl.replace('pkg:npm/', '')))
        .filter((name) => !/^(?:@patchbay\/|pkg:oci)/.test(name))
      expect(listed.length).toBeGreaterThan(100)
      expect(listed.toSorted()).toEqual(installed.toSorted())
      process.stdout.write(`packages of others in the ${image}: ${installed.length}\n`)
    },
    300_000,
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
    await waitUntil('the server is ready', isReady(url), { deadlineMs: 60_000 })
    process.stdout.write(`the server was ready after ${Math.round(performance.now() - begun)} ms\n`)
    expect(await server.isHealthy()).toBe(true)
    expect(await server.exec('node', '--print', 'process.getuid()')).toContain('1000')
    const write =
      "try { require('fs').writeFileSync('/app/x', '') } catch (error) { console.log(error.code) }"
    expect(await server.exec('node', '--eval', write)).toContain('EROFS')
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('<div id="root">')
    expect(await server.exec(...ADMIN_LINK)).toContain('/welcome?invitation=')
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
    await waitUntil('the gateway is ready', isReady(`http://127.0.0.1:${port}`), { deadlineMs: 60_000 })
    expect(await gateway.isHealthy()).toBe(true)
    expect(await gateway.exec('node', '--print', 'process.getuid()')).toContain('1000')
    expect((await gateway.stop()).code).toBe('0')
  }, 180_000)

  describe('a whole installation', () => {
    const ports = { http: 0, pages: 0, gateway: 0 }
    const urlOf = (name: keyof typeof ports) => `http://localhost:${ports[name]}`
    beforeAll(async () => {
      await buildEngines(containers, Object.values(ENGINES))
      for (const name of Object.keys(ports) as (keyof typeof ports)[]) ports[name] = await freePort()
    }, BUILD_MINUTES * 60_000)

    /** The first person comes by the operator's link, with a passkey; then everything that the contract has, over HTTP. */
    async function use(printed: string): Promise<void> {
      for (const name of ['http', 'gateway'] as const)
        await waitUntil(`${name} is ready`, isReady(urlOf(name)), PATIENCE)
      await using browser = await openBrowser(await sharedChromium(), urlOf('http'), new Trail())
      const { page } = browser
      await browser.open(/^http\S+$/m.exec(printed)?.[0] ?? printed)
      await browser.sees('Welcome to Patchbay')
      await page.getByRole('textbox', { name: /^Handle/ }).fill('ada')
      await page.getByRole('textbox', { name: /^Name/ }).fill('Ada Lovelace')
      await browser.press('Sign up with a passkey')
      await browser.sees('Account')
      const cookies = await page.context().cookies()
      const session = cookies.find(({ name }) => name === '__Host-patchbay-session')?.value ?? ''
      await checkContract(await moveIn(urlOf('http'), 'ada', session))

      const flow = await startOAuthFlow({
        provider: 'example',
        authUrl: 'https://id.example.test/authorize',
        clientId: 'board',
        scopes: 'read',
        gatewayUrl: urlOf('gateway'),
      })
      await page.goto(`${urlOf('gateway')}/callback?code=a-code&state=${flow.state}`)
      await browser.press('Connect')
      await page.getByRole('heading', { name: 'Connected' }).waitFor()
      expect(await flow.waitForCode()).toMatchObject({ code: 'a-code' })
    }

    /**
     * Debian's docker-compose, which knows the file but for its name, over the interface that podman has for it. podman-compose
     * as Debian has it (1.0.3) cannot play the file: it has no `--env-file`, leaves `${NAME:-}` as it stands, starts the server
     * before its engines are healthy and ignores the address of the network that is trusted.
     */
    test.skipIf(!isInstalled('docker-compose'))(
      '[DP-360] from compose.yaml: ready in the order it names, of use to a person, ended with 0',
      async () => {
        const { folder, run } = containers
        const project = join(folder, 'compose')
        await mkdir(project)
        const source = await readText('compose.yaml')
        await writeFile(join(project, 'compose.yaml'), source.replace(/^name: .*$/m, ''))
        const given = {
          ...parseAssignments(await readText('deploy/compose.env.example')),
          POSTGRES_PASSWORD: 'secret',
          VALKEY_PASSWORD: 'other',
          PATCHBAY_PUBLIC_URL: urlOf('http'),
          PATCHBAY_PROXY_URL: urlOf('pages'),
          PATCHBAY_GATEWAY_PUBLIC_URL: urlOf('gateway'),
          PUBLISHED_PORT: ports.http,
          PUBLISHED_PROXY_PORT: ports.pages,
          PUBLISHED_GATEWAY_PORT: ports.gateway,
        }
        const lines = Object.entries(given).map(([name, value]) => `${name}=${value}`)
        await writeFile(join(project, 'compose.env'), lines.join('\n'))
        const socket = `unix://${folder}/podman.sock`
        await using _service = startProcess('podman', ['system', 'service', '--time', '0', socket], {
          env: containers.env,
        })
        await waitUntil('podman listens', () => existsSync(`${folder}/podman.sock`))
        const compose = (...words: string[]) =>
          run('docker-compose', ['--env-file', 'compose.env', ...words], {
            cwd: project,
            env: { DOCKER_HOST: socket, COMPOSE_PROJECT_NAME: 'patchbay' },
          })
        const names = ['server', 'gateway', 'postgres', 'valkey'].map((name) => `patchbay_${name}_1`)
        try {
          let isUp = false
          const up = compose('up', '--no-build', '--detach').finally(() => {
            isUp = true
          })
          // Elsewhere timers of systemd run the checks; Compose waits for their outcome.
          const runChecks = async () => {
            for (const name of names) await containers.succeeds('healthcheck', 'run', name)
            return isUp
          }
          await Promise.all([up, waitUntil('all services were started', runChecks, PATIENCE)])
          await use(await podman('exec', 'patchbay_server_1', ...ADMIN_LINK))
          for (const name of names) expect(await containers.succeeds('healthcheck', 'run', name)).toBe(true)
          await compose('stop')
          for (const name of names) await expectCleanEnd(name)
        } finally {
          await compose('down', '--volumes')
        }
      },
      600_000,
    )

    test.skipIf(!isInstalled('kubectl'))(
      '[DP-361] from deploy/kubernetes: what podman plays of it becomes ready, is of use to a person and ends with 0',
      async () => {
        const { folder, run } = containers
        const overlay = join(folder, 'kubernetes')
        await mkdir(overlay)
        await writeFile(
          join(overlay, 'kustomization.yaml'),
          overlayOf({ base: relative(overlay, join(ROOT, 'deploy/kubernetes')), images: IMAGES, ports }),
        )
        const manifests = join(overlay, 'all.yaml')
        await writeFile(manifests, await run('kubectl', ['kustomize', overlay]))
        const [DATABASE_URL, REDIS_URL] = ['postgres://patchbay:secret@postgres/patchbay', 'redis://valkey']
        const secrets = {
          'patchbay-server': { DATABASE_URL, REDIS_URL },
          'patchbay-gateway': { REDIS_URL },
          // It has to be there, although the deployment calls it optional.
          'patchbay-signing': { none: 'none' },
        }
        for (const [name, values] of Object.entries(secrets)) {
          await writeFile(join(overlay, name), secretOf(values))
          await podman('secret', 'create', name, join(overlay, name))
        }
        await podman('network', 'create', 'cluster')
        const engine = [
          'run',
          '--detach',
          '--pull=never',
          '--network',
          'cluster',
          '--user',
          '999:999',
          '--name',
        ]
        const account = ['USER=patchbay', 'DB=patchbay', 'PASSWORD=secret'].flatMap((each) => [
          '--env',
          `POSTGRES_${each}`,
        ])
        const writable = ['--tmpfs', '/var/run/postgresql:mode=1777']
        await podman(...engine, 'postgres', ...account, ...writable, ENGINES.postgres)
        await podman(...engine, 'valkey', ENGINES.valkey, 'valkey-server', '--protected-mode', 'no')

        const play = ['--log-level=info', 'kube', 'play', '--network', 'cluster', manifests]
        const said = await run('sh', ['-c', '"$@" 2>&1', 'sh', 'podman', ...play])
        const refused = [...said.matchAll(/Kube kind (\w+) not supported/g)].map(([, kind = '']) => kind)
        expect(refused.length).toBeGreaterThan(0)
        expect(NOT_PLAYED).toEqual(expect.arrayContaining(refused))
        const names = ['server', 'gateway'].map((name) => `patchbay-${name}-pod-0-${name}`)
        const [server = ''] = names
        await waitUntil('the server is ready', isReady(urlOf('http')), PATIENCE)
        const status = "require('fs').readFileSync('/proc/self/status', 'utf8')"
        expect(await podman('exec', server, 'node', '--print', status)).toMatch(
          /Uid:\t1000\t1000[^]*CapEff:\t0+\n[^]*NoNewPrivs:\t1\n/,
        )
        await use(await podman('exec', server, ...ADMIN_LINK))
        await podman('pod', 'stop', '--time', '45', ...names.map((name) => name.replace(/-\w+$/, '')))
        for (const name of names) await expectCleanEnd(name)
        await podman('kube', 'down', manifests)
      },
      600_000,
    )
  })
})
