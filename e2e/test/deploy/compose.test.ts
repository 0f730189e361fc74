import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { type Ended, isInstalled, run } from './commands.ts'
import { readImageEnvironment } from './dockerfile.ts'
import { parseAssignments, readText } from './files.ts'
import { GATEWAY_DRAIN_SECONDS, GATEWAY_PORT, readGatewayConfig } from './gateway-config.ts'
import { DRAIN_SECONDS, PAGES_PORT, readServerConfig, SERVER_PORT } from './server-config.ts'

interface Service {
  readonly image: string
  readonly command?: string[]
  readonly pull_policy?: string
  readonly build?: object
  readonly read_only: boolean
  readonly cap_drop: string[]
  readonly cap_add?: string[]
  readonly privileged?: boolean
  readonly security_opt: string[]
  readonly pids_limit?: number
  readonly mem_limit?: string
  readonly environment?: Record<string, string>
  readonly ports?: string[]
  readonly networks: string[]
  readonly tmpfs?: readonly string[]
  readonly healthcheck?: { readonly test: string[] }
  readonly depends_on?: Record<string, { readonly condition: string }>
  readonly stop_grace_period?: string
}

interface Compose {
  readonly services: Record<'server' | 'gateway' | 'postgres' | 'valkey', Service>
  readonly networks: {
    readonly edge: {
      readonly ipam: { readonly config: [{ readonly subnet: string; readonly gateway: string }] }
    }
    readonly engines: { readonly internal: boolean }
  }
}

const source = await readText('compose.yaml')
const example = parseAssignments(await readText('deploy/compose.env.example'))
const PASSWORDS = { POSTGRES_PASSWORD: 'secret', VALKEY_PASSWORD: 'other' }
const compose = interpolate({ ...example, ...PASSWORDS })
const { server, gateway, ...engines } = compose.services

test('[DP-101] the server accepts what Compose gives it', async () => {
  const config = readServerConfig(server.environment ?? {}, await readImageEnvironment('server'))
  expect(config.databaseUrl.reveal()).toBe('postgres://patchbay:secret@postgres:5432/patchbay')
  expect(config.redisUrl?.reveal()).toBe('redis://:other@valkey:6379')
})

test('[DP-102] Compose waits longer than the server drains', () => {
  expect(Number.parseInt(server.stop_grace_period ?? '', 10)).toBeGreaterThan(DRAIN_SECONDS)
})

test("[DP-103] Compose publishes the server's ports", () => {
  expect(server.ports).toEqual([SERVER_PORT, PAGES_PORT].map((port) => `127.0.0.1:${port}:${port}`))
})

test('[DP-300] the gateway accepts what Compose gives it, and asks the person', async () => {
  const config = readGatewayConfig(gateway.environment ?? {}, await readImageEnvironment('gateway'))
  expect(config).toMatchObject({ host: '0.0.0.0', delivery: 'confirm', publicUrl: 'http://localhost:8795' })
  expect(config.redisUrl?.reveal()).toBe('redis://:other@valkey:6379')
})

test('[DP-301] Compose waits longer than the gateway drains', () => {
  expect(Number.parseInt(gateway.stop_grace_period ?? '', 10)).toBeGreaterThan(GATEWAY_DRAIN_SECONDS)
})

test("[DP-302] Compose publishes the gateway's port", () => {
  expect(gateway.ports).toEqual([`127.0.0.1:${GATEWAY_PORT}:${GATEWAY_PORT}`])
})

test('[DP-303] server and gateway are built here, and no registry is asked for them', () => {
  for (const [target, service] of Object.entries({ server, gateway }))
    expect(service).toMatchObject({
      image: `patchbay-${target}:local`,
      pull_policy: 'build',
      build: { dockerfile: 'deploy/Dockerfile', target },
    })
  expect(gateway.depends_on).toEqual({ valkey: { condition: 'service_healthy' } })
})

test('[DP-121] nothing is published beyond the loopback interface, and engines not at all', () => {
  for (const { ports = [] } of [server, gateway])
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
  for (const engine of Object.values(engines)) {
    expect(engine.ports).toBeUndefined()
    expect(engine.networks).toEqual(['engines'])
  }
  expect(compose.networks.engines.internal).toBe(true)
})

test.for(Object.entries(compose.services))(
  '[DP-122] %s can write to no root and gain no privilege',
  ([, service]) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: 200,
      mem_limit: expect.stringMatching(/^\d+[gm]$/),
    })
    expect(service.cap_add).toBeUndefined()
    expect(service.privileged).toBeUndefined()
  },
)

test.for(Object.entries(compose.services))(
  '[DP-360] %s asks for folders in memory in words that Podman knows as well',
  ([, { tmpfs = [] }]) => {
    // It refuses to start a container with `uid` or `gid`.
    const options = tmpfs.flatMap((each) => each.split(':')[1]?.split(',') ?? [])
    for (const option of options) expect(option).toMatch(/^(?:mode=[0-7]{4}|size=\d+m)$/)
  },
)

test('[DP-123] the server waits for healthy engines', () => {
  const healthy = { condition: 'service_healthy' }
  expect(server.depends_on).toEqual({ postgres: healthy, valkey: healthy })
  for (const engine of Object.values(engines)) expect(engine.healthcheck?.test[0]).toBe('CMD')
})

test('[DP-123] the server trusts the gateway of its own network and nobody else', () => {
  const [{ subnet, gateway: address }] = compose.networks.edge.ipam.config
  expect(server.environment?.['PATCHBAY_TRUSTED_PROXIES']).toBe(`${address}/32`)
  expect(gateway.environment?.['PATCHBAY_TRUSTED_PROXIES']).toBe(`${address}/32`)
  expect(address.split('.').slice(0, 3)).toEqual(subnet.split('.').slice(0, 3))
})

test('[DP-124] the example lists exactly the variables that are used', () => {
  const used = new Set([...source.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name))
  used.delete('IMAGE_TAG')
  expect(Object.keys(example).toSorted()).toEqual([...used].toSorted())
})

test.for(Object.keys(PASSWORDS))('[DP-124] without %s nothing starts', (name) => {
  expect(() => interpolate({ ...example, ...PASSWORDS, [name]: '' })).toThrow(name)
})

test.skipIf(!isInstalled('redis-server'))('[DP-124] Valkey asks for its password', async () => {
  const port = await freePort()
  const script = (compose.services.valkey.command?.[2] ?? '')
    .replaceAll('$$', '$')
    // Debian has Redis, which takes the same settings.
    .replace('valkey-server -', `redis-server - --port ${port} --bind 127.0.0.1`)
  await using _valkey = startProcess('sh', ['-c', script], {
    env: { ...process.env, REDISCLI_AUTH: 'other' },
  })
  const ask = async (env: Record<string, string>, ...words: string[]) =>
    (
      await run('redis-cli', ['-p', String(port), ...words], { env: { ...process.env, ...env } })
    ).output.trim()
  await waitUntil('it answers', async () => (await ask({ REDISCLI_AUTH: 'other' }, 'ping')) === 'PONG')
  expect(await ask({}, 'ping')).toContain('NOAUTH')
  expect(await ask({ REDISCLI_AUTH: 'other' }, 'config', 'get', 'maxmemory-policy')).toContain('noeviction')
  expect(await ask({ REDISCLI_AUTH: 'other' }, 'config', 'get', 'save')).toBe('save')
})

interface ComposeProgram {
  readonly program: string
  readonly args: readonly string[]
  /** What it is given of a file. */
  readonly prepare: (text: string) => string
}

/** The plugin, which needs no engine for this, or else the program that Debian has, which knows all keys but one. */
const PROGRAMS: readonly ComposeProgram[] = [
  { program: 'docker', args: ['compose'], prepare: (text) => text },
  { program: 'docker-compose', args: [], prepare: (text) => text.replace(/^name: .*$/m, '') },
]

async function findCompose(): Promise<ComposeProgram | undefined> {
  for (const each of PROGRAMS)
    if ((await run(each.program, [...each.args, 'version'])).code === 0) return each
  return undefined
}

const found = await findCompose()

async function judge(
  text: string,
  variables = 'POSTGRES_PASSWORD=secret\nVALKEY_PASSWORD=other\n',
): Promise<Ended> {
  const { program, args, prepare } = found ?? raise('no Compose')
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-compose-'))
  const [file, values] = [join(folder, 'compose.yaml'), join(folder, 'compose.env')]
  await writeFile(file, prepare(text))
  await writeFile(values, variables)
  const ended = await run(program, [...args, '--file', file, '--env-file', values, 'config', '--quiet'])
  await rm(folder, { recursive: true, force: true })
  return ended
}

function raise(message: string): never {
  throw new Error(message)
}

test.skipIf(found === undefined)('[DP-125] Docker Compose accepts the file', async () => {
  expect(await judge(source)).toEqual({ code: 0, output: '' })
})

deepTest.skipIf(found === undefined)(
  '[DP-125] it would not if a service or a variable were missing',
  async () => {
    const others = await Promise.all([
      judge(source.replaceAll('valkey: { condition', 'nowhere: { condition')),
      judge(source, ''),
    ])
    for (const { code } of others) expect(code).toBeGreaterThan(0)
  },
)

/** The part of Compose's interpolation that the file uses: a default, and a value that must be there. */
function interpolate(values: Record<string, string>): Compose {
  const replace = (_whole: string, name: string, kind: string, rest: string) => {
    const value = values[name] ?? ''
    if (value === '' && kind === '?') throw new Error(`${name} is not set: ${rest}`)
    return value === '' ? rest : value
  }
  const text = JSON.stringify(parse(source, { merge: true }))
  const interpolated: Compose = JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(/\$\{([A-Z_]+):([-?])([^}]*)\}/g, replace) : value,
  )
  return interpolated
}
