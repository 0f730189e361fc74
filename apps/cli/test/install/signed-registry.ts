import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import {
  createRoot,
  createSigningKey,
  publicKeyOf,
  type SignedFile,
  signStaticRepository,
} from '@patchbay/package-trust/signing'
import type { User } from '../user.ts'
import type { RecordingServer } from './recording-server.ts'

const DAY_MS = 86_400_000
export const BLINKY = 'com.example.blinky'
export const SPARSE = `sparse/tool/${BLINKY}.json`
const PRIVATE_FEED = '/registry/feeds/tool/ada/private/'

/** Signs what a server hands out, as its operator does. */
export function createSigner() {
  const [root, targets, online] = [createSigningKey(), createSigningKey(), createSigningKey()]
  const holders = (pem: string) => ({ keys: [publicKeyOf(pem)], threshold: 1 })
  const now = new Date()
  const first = createRoot({
    roles: { root: holders(root), targets: holders(targets), online: holders(online) },
    keys: [root],
    now,
    expires: new Date(now.getTime() + 90 * DAY_MS),
  })
  let previous: readonly SignedFile[] = []
  return {
    root: first,
    /** Puts signatures for these files onto the server; they are called what they are below `/registry/`. */
    sign(server: RecordingServer, files: ReadonlyMap<string, Uint8Array>): void {
      const keys = { targets: [targets], online: [online] }
      previous = signStaticRepository({ files, root: first.bytes, keys, previous, now })
      for (const { name, bytes } of [first, ...previous])
        server.files.set(`/registry/tuf/${name}`, { body: bytes })
    },
  }
}

/** A version of the package, with its archive: what a sparse file of the server holds. */
export async function publishOn(server: RecordingServer, user: User, version: string): Promise<Uint8Array> {
  const packages = await buildAt(server, user, version, '/registry/')
  return Buffer.from(JSON.stringify((JSON.parse(packages) as { packages: unknown[] }).packages[0]))
}

/** As somebody on the way could: a page that calls it private, and a list that nobody signed. */
export async function forgePrivate(server: RecordingServer, user: User, version: string): Promise<void> {
  await buildAt(server, user, version, PRIVATE_FEED)
  server.files.set(`/registry/packages/${BLINKY}`, { body: JSON.stringify(PAGE) })
}

async function buildAt(server: RecordingServer, user: User, version: string, path: string): Promise<string> {
  const [folder, out] = [`work-${version}`, `out-${version}`]
  const init = ['package', 'init', `${folder}/blinky`, '--package-version', version, '--status', 'stable']
  await user.run(...init)
  const base = `${server.url}${path}`
  const built = await user.run('repo', 'build', folder, '--out', out, '--name', 'Shop', '--base-url', base)
  if (built.code !== 0) throw new Error(built.stderr)
  for (const entry of await readdir(user.at(out), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const type = file.endsWith('.zip') ? 'application/zip' : 'application/json'
    server.files.set(`${path}${relative(user.at(out), file)}`, { type, body: await readFile(file) })
  }
  return await readFile(user.at(out, 'packages.json'), 'utf8')
}

const TIME = '2026-01-01T00:00:00.000Z'
const PAGE = {
  identifier: BLINKY,
  owner: 'ada',
  visibility: 'private',
  is_listed: true,
  name: 'Blinky',
  description: 'Blinks',
  description_full: 'Blinks',
  type: 'plugin',
  category: null,
  author: { name: 'Ada', contact: {} },
  maintainer: null,
  license: 'MIT',
  resources: {},
  tags: [],
  icon_url: null,
  created_at: TIME,
  updated_at: TIME,
  versions: [],
  feeds: [],
}
