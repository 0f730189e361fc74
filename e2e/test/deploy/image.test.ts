import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, matchesGlob, relative } from 'node:path'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { run } from './commands.ts'
import { type Image, readImageEnvironment, readStages, textOf } from './dockerfile.ts'
import { ROOT, readText } from './files.ts'
import { GATEWAY_PORT, readGatewayConfig } from './gateway-config.ts'
import { tryHealthCheck } from './health-check.ts'
import { PAGES_PORT, readServerConfig, SERVER_PORT } from './server-config.ts'

const PRODUCTION_ONLY = join(import.meta.dirname, 'production-only.ts')
const stages = await readStages('deploy/Dockerfile')
const DATABASE_URL = 'postgres://patchbay:secret@127.0.0.1/patchbay'

const IMAGES = [
  {
    image: 'server',
    ports: [SERVER_PORT, PAGES_PORT],
    port: 'PATCHBAY_PORT',
    settings: { DATABASE_URL },
  },
  {
    image: 'gateway',
    ports: [GATEWAY_PORT],
    port: 'PATCHBAY_GATEWAY_PORT',
    settings: { PATCHBAY_GATEWAY_DELIVERY: 'confirm' },
  },
] as const

test('[DP-101] the image sets what the server accepts, and opens it to the network of its container', async () => {
  const config = readServerConfig({ DATABASE_URL }, await readImageEnvironment('server'))
  expect(config).toMatchObject({ host: '0.0.0.0', objectsUrl: 'file:///var/lib/patchbay/objects' })
})

test('[DP-300] the image sets what the gateway accepts, and opens it to the network of its container', async () => {
  const image = await readImageEnvironment('gateway')
  // Open to a network, the operator chooses how codes are delivered; the image does not.
  expect(() => readGatewayConfig({}, image)).toThrow(/PATCHBAY_GATEWAY_DELIVERY/)
  expect(readGatewayConfig({ PATCHBAY_GATEWAY_DELIVERY: 'confirm' }, image)).toMatchObject({
    host: '0.0.0.0',
  })
})

test.each(IMAGES)('[DP-103][DP-302] the image of the $image exposes its ports', ({ image, ports }) => {
  expect(textOf(stages.get(image), 'EXPOSE')).toBe(ports.join(' '))
})

test.each(IMAGES)(
  '[DP-111] the $image loads nothing but production dependencies',
  async ({ image, settings }) => {
    const start = async (args: readonly string[]) => {
      const compiled = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }
      const env = { ...(await readImageEnvironment(image)), ...compiled, ...settings }
      return (await run(process.execPath, ['--import', PRODUCTION_ONLY, ...args], { cwd: ROOT, env })).code
    }
    const [, ...entry] = commandOf(image, 'ENTRYPOINT')
    const codes = await Promise.all([
      start([...entry, ...commandOf(image, 'CMD'), '--check-config']),
      start(['--input-type=module', '--eval', 'import "vitest"']),
    ])
    expect(codes).toEqual([0, 1])
  },
  120_000,
)

for (const { image, settings } of IMAGES)
  deepTest(
    `[DP-111] the production tree of the ${image} starts it, and holds nothing else`,
    { timeout: 60_000 },
    async () => {
      await using context = await copyContext()
      const [install = '', link = ''] = (stages.get(`${image}-tree`) ?? [])
        .filter(({ name }) => name === 'RUN')
        .map(({ text }) => text.replace(/^--mount=\S+ */, ''))
      expect(install).toContain('--frozen-lockfile')
      // Offline and from the store of this checkout, which has all it needs; on another file system pnpm would look elsewhere.
      const store = await run('pnpm', ['store', 'path'], { cwd: ROOT })
      const offline = install.replace(
        '--store-dir /pnpm/store',
        `--offline --store-dir ${store.output.trim()}`,
      )
      const built = await run('sh', ['-ec', `${offline}\n${link}`], { cwd: context.folder })
      expect(built).toMatchObject({ code: 0 })
      const [node = '', ...entry] = commandOf(image, 'ENTRYPOINT')
      expect(node).toBe('node')
      const checked = await run(process.execPath, [...entry, ...commandOf(image, 'CMD'), '--check-config'], {
        cwd: context.folder,
        env: { ...(await readImageEnvironment(image)), ...settings },
      })
      expect(checked).toMatchObject({ code: 0, output: expect.stringContaining(`${image} is sound`) })
      const installed = await readdir(join(context.folder, 'node_modules/.pnpm'))
      const unwanted = /^(vitest|playwright-core|oidc-provider|vite|typescript|sharp|openai|tesseract\.js)@/
      expect(installed.filter((name) => unwanted.test(name))).toEqual([])
    },
  )

test.each(IMAGES)(
  '[DP-112] the image of the $image drops root by number and starts it as process 1',
  ({ image }) => {
    expect(textOf(stages.get(image), 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(commandOf(image, 'ENTRYPOINT')).toEqual(['node', 'apps/cli/src/main.ts'])
    expect(commandOf(image, 'CMD')).toEqual([image])
    expect(textOf(stages.get(image), 'STOPSIGNAL')).toBe('SIGTERM')
  },
)

test.each(IMAGES)(
  '[DP-115] the image of the $image takes what it runs, and nothing else',
  async ({ image }) => {
    const taken = (stages.get(image) ?? [])
      .filter(({ name }) => name === 'COPY')
      .map(({ text }) => text.replace(/^(?:--\S+ )+/, '').split(' ')[0])
    const parts = await areasOf(image)
    expect(parts.length).toBeGreaterThan(0)
    const own = [
      'package.json',
      'node_modules',
      'packages',
      ...parts.map((part) => `areas/${part}`),
      `apps/${image}`,
      'apps/cli',
    ]
    const others =
      image === 'server' ? ['/app/apps/web/dist/client', '/app/apps/docs/dist/site', '/var/lib/patchbay'] : []
    expect(new Set(taken)).toEqual(new Set([...own.map((path) => `/app/${path}`), ...others]))
  },
)

test('[DP-112] without a target the server is built, on images that are named by digest', async () => {
  expect([...stages.keys()].at(-1)).toBe('server')
  const bases = [...(await readText('deploy/Dockerfile')).matchAll(/^ARG \w+_IMAGE=(.*)$/gm)]
  expect(bases).toHaveLength(2)
  for (const [, base] of bases) expect(base).toMatch(/@sha256:[0-9a-f]{64}$/)
})

test.each([
  { ...IMAGES[0], answer: 200, code: 0 },
  { ...IMAGES[0], answer: 503, code: 1 },
  { ...IMAGES[1], answer: 200, code: 0 },
  { ...IMAGES[1], answer: 503, code: 1 },
])(
  '[DP-113][DP-304] the health check of the $image ends with $code on $answer',
  async ({ image, port, answer, code }) => {
    const [, ...words] = healthCommand(image)
    const check = (at: number) => run(process.execPath, words, { env: { [port]: String(at) } })
    expect(await tryHealthCheck(answer, check)).toEqual({ asked: ['/health'], code, codeWithoutNode: 1 })
  },
)

test('[DP-114] history, secrets, installed and built files and tests stay out of the image', async () => {
  const ignored = await readIgnored()
  const out = [
    '.git',
    '.env',
    '.patchbay',
    'node_modules',
    'apps/cli/node_modules',
    'apps/web/dist',
    'areas/panels/test',
  ]
  const needed = [
    'package.json',
    'pnpm-lock.yaml',
    'e2e/package.json',
    'apps/cli/src/main.ts',
    'apps/web/vite.config.ts',
    // The builds of the pages read it, and then all that it names.
    ...(await referencedConfigs()),
  ]
  expect(out.filter((path) => !ignored(path))).toEqual([])
  // With a folder goes what is in it.
  const foldersOf = (path: string) => path.split('/').map((_, at, names) => names.slice(0, at + 1).join('/'))
  expect(needed.filter((path) => foldersOf(path).some(ignored))).toEqual([])
})

function commandOf(image: Image, instruction: string): string[] {
  return JSON.parse(textOf(stages.get(image), instruction)) as string[]
}

function healthCommand(image: Image): string[] {
  return JSON.parse(textOf(stages.get(image), 'HEALTHCHECK').replace(/^.*?CMD /, '')) as string[]
}

async function readIgnored(): Promise<(path: string) => boolean> {
  const lines = (await readText('.dockerignore')).split('\n')
  const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'))
  return (path) => patterns.some((pattern) => matchesGlob(path, pattern))
}

async function referencedConfigs(): Promise<string[]> {
  const { references } = JSON.parse(await readText('tsconfig.json')) as {
    readonly references: readonly { readonly path: string }[]
  }
  return references.map(({ path }) => join(path, path.endsWith('.json') ? '' : 'tsconfig.json'))
}

/** What `COPY . .` would copy. */
async function copyContext() {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-image-'))
  const ignored = await readIgnored()
  await cp(ROOT, folder, { recursive: true, filter: (source) => !ignored(relative(ROOT, source)) })
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

/** What a process is made of, as its manifest says: an area that is forgotten would be missed at the start of a container. */
async function areasOf(app: string): Promise<string[]> {
  const read = async (path: string) =>
    JSON.parse(await readText(`${path}/package.json`)) as {
      readonly name: string
      readonly dependencies: Readonly<Record<string, string>>
    }
  const { dependencies } = await read(`apps/${app}`)
  const areas = (await readdir(join(ROOT, 'areas'))).toSorted()
  const names = await Promise.all(areas.map(async (area) => (await read(`areas/${area}`)).name))
  return areas.filter((_, at) => names[at] !== undefined && names[at] in dependencies)
}
