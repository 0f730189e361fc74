import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { collectMigrations, type Migration } from '@patchbay/kernel/postgres'
import { VERSION } from '@patchbay/server'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'
import { ROOT } from './files.ts'

/** A version of Patchbay: a folder with its sources and its migrations. */
export interface Version {
  readonly name: string
  readonly folder: string
}

/** What a version adds to the migrations of the one before, by the folder of the area. */
export type AddedMigrations = Readonly<Record<string, string>>

export const thisVersion: Version = { name: VERSION, folder: ROOT }

const LEFT_OUT = new Set(['dist', 'test', 'web', 'dev', 'testkit', 'dev-identity-provider'])

/** The version after another one: the same sources under a new number, with one more migration in each of the areas. */
export async function createNextVersion(
  before: Version,
  name: string,
  added: AddedMigrations,
): Promise<Version & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-version-'))
  for (const part of ['packages', 'areas', 'apps'])
    await cp(join(before.folder, part), join(folder, part), {
      recursive: true,
      // Packages find each other in the copy, and those of strangers below the checkout.
      verbatimSymlinks: true,
      filter: (path) => !LEFT_OUT.has(basename(path)),
    })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const [area, sql] of Object.entries(added)) {
    const migrations = join(folder, area, 'migrations')
    const number = String((await readdir(migrations)).length + 1).padStart(4, '0')
    await writeFile(join(migrations, `${number}_of_the_test.sql`), sql)
  }
  const manifest = join(folder, 'apps/server/package.json')
  const text = await readFile(manifest, 'utf8')
  await writeFile(manifest, text.replace(/"version": "[^"]+"/, `"version": "${name}"`))
  return { name, folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

/** Of all areas of the server, in their order. */
export async function migrationsOf({ folder }: Version): Promise<Migration[]> {
  const places = ['packages/kernel', 'areas/identity', 'areas/registry', 'areas/panels', 'areas/content']
  return await collectMigrations(
    places.map((place) => ({ area: basename(place), folder: join(folder, place, 'migrations') })),
  )
}

/** A server of this version as an operator starts it; answers when it is ready or has ended. */
export async function startVersion(
  { folder }: Version,
  port: number,
  environment: Record<string, string>,
): Promise<RunningProcess> {
  const { PATH = '', TMPDIR = tmpdir() } = process.env
  const node = startProcess(process.execPath, [join(folder, 'apps/cli/src/main.ts'), 'server'], {
    env: { PATH, TMPDIR, ...environment, PATCHBAY_PORT: String(port) },
    cwd: TMPDIR,
  })
  const isSettled = async () =>
    node.child.exitCode !== null ||
    (await fetch(`http://127.0.0.1:${port}/ready`).then(
      ({ ok }) => ok,
      () => false,
    ))
  await waitUntil('the server is ready', isSettled, { deadlineMs: 60_000 })
  return node
}
