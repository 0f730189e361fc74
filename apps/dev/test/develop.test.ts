import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDatabase } from '@patchbay/kernel/postgres'
import { startPostgres } from '@patchbay/testkit/postgres'
import { isRunning } from '@patchbay/testkit/postgres-family'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'

interface AccountTables {
  readonly handles: { handle: string; kind: string }
  readonly people: {
    handle: string
    display_name: string
    is_admin: boolean
    created_at: Date
    sessions_seen_at: Date
  }
}

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

async function startDevelopment(
  folder: string,
  environment: Record<string, string> = {},
  before: readonly string[] = [],
) {
  const { PATH = '', TMPDIR = tmpdir(), HOME = TMPDIR } = process.env
  const running = startProcess(process.execPath, [MAIN, ...before, '--data', folder], {
    env: { PATH, TMPDIR, HOME, ...environment },
  })
  await waitUntil('everything is up', () => running.output().includes('Ctrl-C'), {
    deadlineMs: 60_000,
  }).catch((error: unknown) => {
    throw new Error(running.output(), { cause: error })
  })
  const find = (label: string) => new RegExp(`^\\s+${label}\\s+(\\S+)`, 'm').exec(running.output())?.[1] ?? ''
  const adminLink = /\S+\/welcome\?invitation=\S+/.exec(running.output())?.[0]
  return {
    running,
    adminLink,
    web: find('Web app'),
    server: find('Server'),
    issuer: find('Sign-in \\(dev\\)'),
  }
}

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-dev-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

const installationAt = async (web: string): Promise<string> =>
  (await (await fetch(`${web}/api/about`)).json()).installation.id

test('[DEV-1][DEV-4] everything comes up from nothing; Ctrl-C ends it, with the data there again next time', async () => {
  await using folder = await temporaryFolder()
  const first = await startDevelopment(folder.path)
  await using _first = first.running
  expect(await (await fetch(first.web, { headers: { accept: 'text/html' } })).text()).toContain(
    '<title>Patchbay</title>',
  )
  expect((await fetch(`${first.server}/ready`)).status).toBe(200)
  expect((await fetch(`${first.issuer}/.well-known/openid-configuration`)).status).toBe(200)
  const installation = await installationAt(first.web)
  first.running.child.kill('SIGINT')
  await first.running.exited
  expect(first.running.output()).not.toMatch(/"level"/)
  expect(isRunning(first.running.pid)).toBe(false)

  const second = await startDevelopment(folder.path)
  await using _second = second.running
  expect(await installationAt(second.web)).toBe(installation)
}, 120_000)

test('[DEV-2][DEV-3] DATABASE_URL is used when it is set; a taken port is replaced by a free one', async () => {
  await using folder = await temporaryFolder()
  await using postgres = await startPostgres()
  const squatter = createServer()
  // Somebody else may have the port already, which is as good.
  await new Promise<void>((resolve) =>
    squatter.once('error', () => resolve()).listen(8790, '127.0.0.1', resolve),
  )
  const { running, server, web } = await startDevelopment(folder.path, {
    DATABASE_URL: await postgres.createDatabase('given'),
  })
  await using _running = running
  await new Promise<void>((resolve) => squatter.close(() => resolve()))
  expect(running.output()).toMatch(/PostgreSQL\s+from DATABASE_URL/)
  expect(running.output()).toContain('(port 8790 is taken)')
  expect(server).not.toContain(':8790')
  expect(await installationAt(web)).toMatch(/^[0-9a-f-]{36}$/)
}, 120_000)

test('[DEV-5][DEV-6] while there is no administrator, a link makes one; a leading -- does no harm', async () => {
  await using folder = await temporaryFolder()
  await using postgres = await startPostgres()
  const url = await postgres.createDatabase('administrators')
  const first = await startDevelopment(folder.path, { DATABASE_URL: url }, ['--'])
  {
    await using _first = first.running
    const { origin, searchParams } = new URL(first.adminLink ?? '')
    expect(origin).toBe(first.web)
    const checked = await fetch(`${first.web}/auth/invitations/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ invitation: searchParams.get('invitation') }),
    })
    expect(await checked.json()).toMatchObject({ makes_admin: true })
  }
  await using database = createDatabase<AccountTables>({ url, poolSize: 1, applicationName: 'test' })
  const now = new Date()
  await database.db.insertInto('handles').values({ handle: 'ada', kind: 'person' }).execute()
  await database.db
    .insertInto('people')
    .values({ handle: 'ada', display_name: 'Ada', is_admin: true, created_at: now, sessions_seen_at: now })
    .execute()
  const second = await startDevelopment(folder.path, { DATABASE_URL: url })
  await using _second = second.running
  expect(second.adminLink).toBeUndefined()
  expect(second.running.output()).not.toContain('administrator')
}, 120_000)
