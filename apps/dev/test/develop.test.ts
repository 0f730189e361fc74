import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDatabase, type Database, fingerprintOf, migrate } from '@patchbay/kernel/postgres'
import { serverMigrations } from '@patchbay/server'
import { freePort } from '@patchbay/testkit/ports'
import { cloneDatabase } from '@patchbay/testkit/postgres'
import { isRunning } from '@patchbay/testkit/postgres-family'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { ClosedToOthers, refuseClosedFolders, startDevelopmentDatabase } from '../src/database.ts'
import { banner, firstAdminLink } from '../src/develop.ts'
import { portOrFree } from '../src/ports.ts'
import { startFailureWords } from '../src/start-failure.ts'

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
  command: 'patchbay',
  url: 'http://localhost:8790',
  issuer: 'http://localhost:1',
  mqtt: 'localhost:8799',
  database: 'its own',
  bus: 'in this process',
  kicad: '9.0.8',
  adminLink: undefined,
  moved: undefined,
}

const MAIN = fileURLToPath(new URL('../checkout.ts', import.meta.url))

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
    mqtt: find('MQTT'),
  }
}

/** Whether somebody listens there. */
async function canConnect(address: string): Promise<boolean> {
  const [host = '', port = ''] = address.split(':')
  const socket = connect(Number(port), host)
  return await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  }).finally(() => socket.destroy())
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

test('[DEV-1][DEV-14][DEV-4][DEV-6][DEV-7][DEV-8][DEV-9][DEV-10] F7, F4: everything comes up from nothing with progress; a second start says so; Ctrl-C ends it cleanly, and the data is there again', async () => {
  await using folder = await temporaryFolder()
  const { running, url, issuer, mqtt } = await startDevelopment(folder.path, {}, ['--'])
  await using _running = running
  const said = running.output()
  const announced = [...said.matchAll(/^ {2}Starting (.*)…/gm)].map(([, part]) => part)
  expect(announced).toEqual(['Patchbay', 'PostgreSQL', 'the identity provider', 'the server', 'the web app'])
  expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain(
    '<title>Patchbay</title>',
  )
  expect((await fetch(`${url}/ready`)).status).toBe(200)
  expect((await fetch(`${issuer}/.well-known/openid-configuration`)).status).toBe(200)
  await expect(canConnect(mqtt)).resolves.toBe(true)
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

test('[DEV-11] without pages that somebody works on, the server serves the built ones at the same address', async () => {
  await using folder = await temporaryFolder()
  await using given = await cloneDatabase({ fingerprint: 'nothing', migrate: async () => {} })
  const pages = join(folder.path, 'pages')
  await mkdir(pages)
  await writeFile(join(pages, 'index.html'), '<!doctype html><title>Built</title>')
  const script = `
    const { runDevelopment } = await import('@patchbay/dev')
    await runDevelopment(
      {
        environment: process.env,
        folder: ${JSON.stringify(folder.path)},
        print: (text) => console.log(text),
        commands: { dev: 'patchbay dev', patchbay: 'patchbay' },
      },
      (text) => { console.error(text); process.exit(1) },
    )`
  await using running = startProcess(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    env: {
      ...bareEnvironment(),
      DATABASE_URL: given.url,
      PATCHBAY_PORT: String(await freePort()),
      PATCHBAY_PROXY_PORT: '0',
      PATCHBAY_WEB_ROOT: pages,
    },
  })
  await waitUntil('everything is up', () => running.output().includes('Ctrl-C'), { deadlineMs: 90_000 })
  const said = running.output()
  expect(said).not.toContain('Starting the web app')
  expect(said).toContain('begin with: patchbay login --server')
  const url = /Open (\S+)/.exec(said)?.[1] ?? ''
  expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain('Built')
  expect((await fetch(`${url}/ready`)).status).toBe(200)
}, 180_000)

test('[DEV-12] what another account cannot enter is told, with what to do', async () => {
  await using folder = await temporaryFolder()
  const closed = join(folder.path, 'closed')
  await mkdir(join(closed, 'data'), { recursive: true })
  await chmod(folder.path, 0o755)
  await chmod(closed, 0o700)
  await expect(refuseClosedFolders([join(closed, 'data')])).rejects.toThrow(closed)
  const words = await startFailureWords(new ClosedToOthers(closed), {
    command: 'patchbay dev',
    folder: closed,
  })
  expect(words).toBe(
    `PostgreSQL does not run as root, and no other account can enter ${closed}.\nStart this as an ordinary user, or name a PostgreSQL that runs: DATABASE_URL=postgres://…`,
  )
  await chmod(closed, 0o711)
  expect(await refuseClosedFolders([closed])).toBeUndefined()
})

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
