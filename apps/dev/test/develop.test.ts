import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDatabase, type Database, fingerprintOf, migrate } from '@patchbay/kernel/postgres'
import { serverMigrations } from '@patchbay/server'
import { deepTest } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { cloneDatabase, startPostgres } from '@patchbay/testkit/postgres'
import { isRunning } from '@patchbay/testkit/postgres-family'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { startDevelopmentDatabase } from '../src/database.ts'
import { banner, firstAdminLink } from '../src/develop.ts'
import { portOrFree } from '../src/ports.ts'

interface AccountTables {
  readonly installation: { id: string }
  readonly handles: { handle: string; kind: string }
  readonly people: {
    handle: string
    display_name: string
    is_admin: boolean
    created_at: Date
    sessions_seen_at: Date
  }
}

type Accounts = Database<AccountTables>['db']

const PLACES = {
  url: 'http://localhost:8790',
  issuer: 'http://localhost:1',
  database: 'its own',
  bus: 'in this process',
  adminLink: undefined,
  moved: undefined,
}

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

function bareEnvironment(): Record<string, string> {
  const { PATH = '', TMPDIR = tmpdir(), HOME = TMPDIR } = process.env
  return { PATH, TMPDIR, HOME }
}

async function startDevelopment(
  folder: string,
  environment: Record<string, string> = {},
  before: readonly string[] = [],
) {
  const running = startProcess(process.execPath, [MAIN, ...before, '--data', folder], {
    env: { ...bareEnvironment(), ...environment },
    // A group of its own, as a terminal makes one.
    detached: true,
  })
  await waitUntil('everything is up', () => running.output().includes('Ctrl-C'), {
    deadlineMs: 90_000,
  }).catch((error: unknown) => {
    throw new Error(running.output(), { cause: error })
  })
  const find = (label: string) => new RegExp(`^\\s+${label}\\s+(\\S+)`, 'm').exec(running.output())?.[1] ?? ''
  const adminLink = /\S+\/welcome\?invitation=\S+/.exec(running.output())?.[0]
  return {
    running,
    adminLink,
    url: find('Address'),
    issuer: find('Sign-in \\(dev\\)'),
  }
}

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-dev-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

const installationAt = async (url: string): Promise<string> =>
  (await (await fetch(`${url}/api/about`)).json()).installation.id

/** An account of the kind that makes the link unnecessary. */
async function addAdministrator(db: Accounts): Promise<void> {
  const now = new Date()
  await db.insertInto('handles').values({ handle: 'ada', kind: 'person' }).execute()
  await db
    .insertInto('people')
    .values({ handle: 'ada', display_name: 'Ada', is_admin: true, created_at: now, sessions_seen_at: now })
    .execute()
}

test('[DEV-1][DEV-4][DEV-6][DEV-7][DEV-8][DEV-9][DEV-10] F7, F4: everything comes up from nothing with progress; a second start says so; Ctrl-C ends it cleanly, and the data is there again', async () => {
  await using folder = await temporaryFolder()
  const { running, url, issuer } = await startDevelopment(folder.path, {}, ['--'])
  await using _running = running
  const said = running.output()
  const announced = [...said.matchAll(/^ {2}Starting (.*)…/gm)].map(([, part]) => part)
  expect(announced).toEqual(['Patchbay', 'PostgreSQL', 'the identity provider', 'the server', 'the web app'])
  expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain(
    '<title>Patchbay</title>',
  )
  expect((await fetch(`${url}/ready`)).status).toBe(200)
  expect((await fetch(`${issuer}/.well-known/openid-configuration`)).status).toBe(200)
  const installation = await installationAt(url)

  const second = startProcess(process.execPath, [MAIN, '--data', folder.path], { env: bareEnvironment() })
  await using _second = second
  expect(await second.exited).toEqual([1, null])
  expect(second.output()).toContain(`Patchbay runs already with the data in ${folder.path}.`)
  expect(second.output()).toContain(`Open ${url}`)
  expect(second.output()).toContain('pnpm dev --data')
  expect(second.output()).not.toMatch(/FATAL|LOG:|\n {4}at /)

  // As a terminal does: PostgreSQL gets it at the same moment.
  process.kill(-running.pid, 'SIGINT')
  expect(await running.exited).toEqual([0, null])
  expect(running.output().slice(said.length)).toMatch(/^\s*Stopping…\s*$/)
  expect(isRunning(running.pid)).toBe(false)

  const again = await startDevelopmentDatabase(folder.path)
  try {
    await using database = createDatabase<AccountTables>({
      url: again.url,
      poolSize: 1,
      applicationName: 'test',
    })
    expect(await database.db.selectFrom('installation').select('id').execute()).toEqual([
      { id: installation },
    ])
  } finally {
    await again.stop()
  }
}, 180_000)

test('[DEV-2][DEV-5] DATABASE_URL is used when it is set; while there is no administrator, a link makes one', async () => {
  await using folder = await temporaryFolder()
  await using given = await cloneDatabase({ fingerprint: 'nothing', migrate: async () => {} })
  const { running, url, adminLink } = await startDevelopment(folder.path, { DATABASE_URL: given.url })
  await using _running = running
  expect(running.output()).toMatch(/PostgreSQL\s+from DATABASE_URL/)
  expect(await installationAt(url)).toMatch(/^[0-9a-f-]{36}$/)
  const { origin, searchParams } = new URL(adminLink ?? '')
  expect(origin).toBe(url)
  const checked = await fetch(`${url}/auth/invitations/check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ invitation: searchParams.get('invitation') }),
  })
  expect(await checked.json()).toMatchObject({ makes_admin: true })
}, 180_000)

test('[DEV-3] a taken port is replaced by a free one, and said so', async () => {
  const squatter = createServer()
  await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve))
  const { port } = squatter.address() as AddressInfo
  const replaced = await portOrFree(port)
  await new Promise<void>((resolve) => squatter.close(() => resolve()))
  expect(replaced).not.toBe(port)
  const wanted = await freePort()
  expect(await portOrFree(wanted)).toBe(wanted)
  expect(banner({ ...PLACES, moved: 8790 })).toContain('(port 8790 is taken)')
  expect(banner(PLACES)).not.toContain('taken')
})

test('[DEV-5] once there is an administrator, there is no link', async () => {
  const migrations = await serverMigrations()
  await using cloned = await cloneDatabase({
    fingerprint: fingerprintOf(migrations),
    migrate: (url) => migrate({ url, migrations }),
  })
  const options = {
    environment: { DATABASE_URL: cloned.url, PATCHBAY_PUBLIC_URL: 'http://localhost:8790' },
    runId: 'test',
    createSecret: () => randomBytes(32).toString('base64url'),
  }
  expect(await firstAdminLink(options)).toMatch(/^http:\/\/localhost:8790\/welcome\?invitation=/)
  await using database = createDatabase<AccountTables>({
    url: cloned.url,
    poolSize: 1,
    applicationName: 'test',
  })
  await addAdministrator(database.db)
  expect(await firstAdminLink(options)).toBeUndefined()
  expect(banner(PLACES)).not.toContain('administrator')
})

deepTest(
  '[DEV-1][DEV-4] everything comes up from nothing; Ctrl-C ends it, with the data there again next time',
  async () => {
    await using folder = await temporaryFolder()
    const first = await startDevelopment(folder.path)
    await using _first = first.running
    expect(await (await fetch(first.url, { headers: { accept: 'text/html' } })).text()).toContain(
      '<title>Patchbay</title>',
    )
    expect((await fetch(`${first.url}/ready`)).status).toBe(200)
    expect((await fetch(`${first.issuer}/.well-known/openid-configuration`)).status).toBe(200)
    const installation = await installationAt(first.url)
    first.running.child.kill('SIGINT')
    await first.running.exited
    expect(first.running.output()).not.toMatch(/"level"/)
    expect(isRunning(first.running.pid)).toBe(false)

    const second = await startDevelopment(folder.path)
    await using _second = second.running
    expect(await installationAt(second.url)).toBe(installation)
  },
  120_000,
)

deepTest(
  '[DEV-2][DEV-3] DATABASE_URL is used when it is set; a taken port is replaced by a free one',
  async () => {
    await using folder = await temporaryFolder()
    await using postgres = await startPostgres()
    const squatter = createServer()
    // Somebody else may have the port already, which is as good.
    await new Promise<void>((resolve) =>
      squatter.once('error', () => resolve()).listen(8790, '127.0.0.1', resolve),
    )
    const { running, url } = await startDevelopment(folder.path, {
      DATABASE_URL: await postgres.createDatabase('given'),
    })
    await using _running = running
    await new Promise<void>((resolve) => squatter.close(() => resolve()))
    expect(running.output()).toMatch(/PostgreSQL\s+from DATABASE_URL/)
    expect(running.output()).toContain('(port 8790 is taken)')
    expect(url).not.toContain(':8790')
    expect(await installationAt(url)).toMatch(/^[0-9a-f-]{36}$/)
  },
  120_000,
)

deepTest(
  '[DEV-5][DEV-6] while there is no administrator, a link makes one; a leading -- does no harm',
  async () => {
    await using folder = await temporaryFolder()
    await using postgres = await startPostgres()
    const url = await postgres.createDatabase('administrators')
    const first = await startDevelopment(folder.path, { DATABASE_URL: url }, ['--'])
    {
      await using _first = first.running
      const { origin, searchParams } = new URL(first.adminLink ?? '')
      expect(origin).toBe(first.url)
      const checked = await fetch(`${first.url}/auth/invitations/check`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ invitation: searchParams.get('invitation') }),
      })
      expect(await checked.json()).toMatchObject({ makes_admin: true })
    }
    await using database = createDatabase<AccountTables>({ url, poolSize: 1, applicationName: 'test' })
    await addAdministrator(database.db)
    const second = await startDevelopment(folder.path, { DATABASE_URL: url })
    await using _second = second.running
    expect(second.adminLink).toBeUndefined()
    expect(second.running.output()).not.toContain('administrator')
  },
  120_000,
)
