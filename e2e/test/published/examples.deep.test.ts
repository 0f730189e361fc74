import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startOidcProvider } from '@patchbay/dev-identity-provider'
import { installPacked } from '@patchbay/testkit/packed'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClientServer, startClientServer } from '../client/start-server.ts'
import { Person } from '../oauth-client/person.ts'
import { type RunningGateway, startGateway } from '../oauth-client/start-gateway.ts'

const NODES = {
  20: process.env['PATCHBAY_OLD_NODE'],
  22: process.env['PATCHBAY_NODE_22'],
  24: process.execPath,
}

/** What stands around the first example of a README where somebody tries it. */
interface Example {
  readonly files?: Readonly<Record<string, string>>
  /** The addresses that the README only shows, and the ones that there are. */
  readonly addresses?: Readonly<Record<string, string>>
  /** What the person does who sees the output. */
  readonly answer?: (link: string) => Promise<unknown>
  /** All of its output. Left out, it is what the comments of the example say. */
  readonly says?: RegExp
}

const METADATA = JSON.stringify({
  name: 'Blinky',
  description: 'Blinks',
  description_full: 'Blinks a lamp',
  identifier: 'com.example.blinky',
  type: 'plugin',
  author: { name: 'Ada', contact: {} },
  license: 'MIT',
  resources: {},
  versions: [{ version: '1.0.0', status: 'stable', kicad_version: '9.0' }],
})
const BLINKY = { 'blinky/metadata.json': METADATA, 'blinky/plugins/blinky.py': 'print("blink")\n' }

let server: ClientServer
let gateway: RunningGateway
let provider: Awaited<ReturnType<typeof startOidcProvider>>
let repository: { readonly url: string }
const cleanup = new AsyncDisposableStack()

beforeAll(async () => {
  server = cleanup.use(await startClientServer())
  gateway = cleanup.use(await startGateway())
  provider = cleanup.use(
    await startOidcProvider({
      clients: [
        {
          id: 'my-client',
          secret: 'my-secret',
          authMethod: 'client_secret_post',
          redirectUris: [`${gateway.url}/callback`],
        },
      ],
    }),
  )
  repository = await serveBlinky()
}, 240_000)

afterAll(() => cleanup.disposeAsync())

/** A repository with one package, served as files. */
async function serveBlinky(): Promise<{ readonly url: string }> {
  const { buildRepository, serveRepository } = await import('@patchbay/package-manager/repository')
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-repository-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  await writeFiles(join(folder, 'packages'), BLINKY)
  const out = join(folder, 'public')
  const served = cleanup.use(await serveRepository(out, { port: 0 }))
  await buildRepository({
    folder: join(folder, 'packages'),
    out,
    name: 'My packages',
    baseUrl: new URL('.', served.url).href,
    brand: 'kicad',
  })
  return served
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

const EXAMPLES: Readonly<Record<string, () => Example>> = {
  client: () => ({
    addresses: { 'https://patchbay.example.com': server.url },
    answer: (link) => server.ada.approve(link),
    says: /^Open \S+\nThe words: \w+ \w+\nSigned in as ada\n$/,
  }),
  contracts: () => ({ addresses: { 'http://localhost:8790': server.url }, says: /^\d+\.\d+\.\d+\n$/ }),
  'oauth-client': () => ({
    addresses: {
      'https://id.example.com/token': `${provider.issuer}/token`,
      'https://id.example.com/authorize': `${provider.issuer}/auth`,
    },
    answer: (link) => new Person().allow(link),
    says: /^Open \S+\n\S{20,}\n$/,
  }),
  'package-archive': () => ({
    files: BLINKY,
    addresses: { 'from-somebody.zip': 'blinky-1.0.0.zip' },
    says: /^[0-9a-f]{64} \d+ \d+ \[\]\n$/,
  }),
  'package-format': () => ({}),
  'package-manager': () => ({
    addresses: { 'https://packages.example/repository.json': repository.url },
    says: /^$/,
  }),
  'package-trust': () => ({ says: /^$/ }),
  primitives: () => ({ says: /^a\.zip\nb\.zip\n$/ }),
  'workspace-layout': () => ({}),
}

describe.each(Object.entries(EXAMPLES))('@patchbay/%s', (name, describeExample) => {
  let installed: string
  beforeAll(async () => {
    installed = await mkdtemp(join(tmpdir(), `patchbay-example-${name}-`))
    await installPacked(name, installed)
  }, 240_000)
  afterAll(() => rm(installed, { recursive: true, force: true }))

  test.each(Object.entries(NODES).filter((entry): entry is [string, string] => entry[1] !== undefined))(
    '[RL-4] the first example of its README runs on Node %s',
    async (major, node) => {
      const folder = join(installed, `on-${major}`)
      const { files = {}, addresses = {}, answer, says } = describeExample()
      const readme = await readFile(new URL(`../../../packages/${name}/README.md`, import.meta.url), 'utf8')
      let code = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
      for (const [shown, real] of Object.entries(addresses)) {
        expect(code).toContain(shown)
        code = code.replaceAll(shown, real)
      }
      await writeFiles(folder, { ...files, 'example.mjs': code })
      await using running = startProcess(node, ['example.mjs'], {
        cwd: folder,
        env: { HOME: folder, PATCHBAY_GATEWAY_URL: gateway.url },
      })
      const link = () => /^Open (\S+)/m.exec(running.output())?.[1]
      if (answer !== undefined) {
        await waitUntil('it shows its link', () => link() !== undefined, { deadlineMs: 30_000 })
        await answer(link() ?? '')
      }
      const printed = running.exited.then((end) => [end, running.output()])
      expect(await printed).toEqual([[0, null], expect.stringMatching(says ?? exactly(commentsOf(code)))])
    },
  )
})

/** What the example says that it prints. */
function commentsOf(code: string): string {
  return [...code.matchAll(/\/\/ (.*)$/gm)].map(([, line]) => `${line}\n`).join('')
}

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`)
}
