import { createHash } from 'node:crypto'
import { login, whoami } from '@patchbay/client'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { cloneDatabase } from '@patchbay/testkit/postgres'
import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import { createCliUser } from './run-cli.ts'
import { sharedClientServer, startClientServer } from './start-server.ts'

// Real processes on a busy machine take their time; what must be quick is measured.
vi.setConfig({ testTimeout: 90_000 })

test('[CLI-30] admin link prints a link that makes one administrator; only its hash is stored', async () => {
  const server = await sharedClientServer()
  await using operator = await createCliUser({
    DATABASE_URL: server.databaseUrl,
    PATCHBAY_PUBLIC_URL: 'https://patchbay.example.com',
    PATCHBAY_SERVER_URL: server.url,
    PATCHBAY_BROWSER: 'firefox',
  })
  const { code, stdout, stderr } = await operator.run('admin', 'link')
  expect(code).toBe(0)
  const secret =
    /^https:\/\/patchbay\.example\.com\/welcome\?invitation=([A-Za-z0-9_-]{43})\n$/.exec(stdout)?.[1] ?? ''
  expect(stderr).toMatch(/makes an account as an administrator\. It works once, until .* UTC\.\n$/)
  const rows = await server.db
    .selectFrom('invitations')
    .selectAll()
    .where('secret_hash', '=', createHash('sha256').update(secret).digest())
    .execute()
  expect(rows).toMatchObject([{ makes_admin: true, created_by: null }])
  const lifetime = (rows[0]?.expires_at.getTime() ?? 0) - (rows[0]?.created_at.getTime() ?? 0)
  expect(lifetime).toBe(3_600_000)
  const checked = await fetch(`${server.url}/auth/invitations/check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify({ invitation: secret }),
  })
  expect(await checked.json()).toMatchObject({ makes_admin: true })
})

test('[CLI-31] S6: admin end-access ends the sessions of an account that stays enabled', async () => {
  await using server = await startClientServer()
  await using operator = await createCliUser({ DATABASE_URL: server.databaseUrl })
  const { sessionToken } = await login({
    baseUrl: server.url,
    onPrompt: ({ authUrl }) => server.ada.approve(authUrl),
  })
  expect(await operator.run('admin', 'end-access', 'ada')).toMatchObject({ code: 0, stderr: '' })
  await expect(whoami({ baseUrl: server.url, sessionToken })).rejects.toMatchObject({ code: 'refused' })
  expect(await operator.run('admin', 'end-access', 'nobody')).toMatchObject({ code: 1, stdout: '' })
  const { disabled_at } = await server.db.selectFrom('people').select('disabled_at').executeTakeFirstOrThrow()
  expect(disabled_at).toBeNull()
})

deepTest('[CLI-31] admin disable ends the sessions of an account, enable lets it sign in again', async () => {
  await using server = await startClientServer()
  await using operator = await createCliUser({ DATABASE_URL: server.databaseUrl })
  const { sessionToken } = await login({
    baseUrl: server.url,
    onPrompt: ({ authUrl }) => server.ada.approve(authUrl),
  })
  expect(await operator.run('admin', 'disable', 'ada')).toMatchObject({ code: 0, stderr: '' })
  await expect(whoami({ baseUrl: server.url, sessionToken })).rejects.toMatchObject({ code: 'refused' })
  expect(await operator.run('admin', 'enable', 'ada')).toMatchObject({ code: 0, stderr: '' })
  expect(await operator.run('admin', 'disable', 'nobody')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no account with this handle.\n',
  })
  await server.db.updateTable('people').set({ is_admin: true }).execute()
  const last = await operator.run('admin', 'disable', 'ada')
  expect(last).toMatchObject({ code: 1, stderr: expect.stringMatching(/^This is the only administrator\./) })
})

test('[CLI-172] R7: the operator quarantines a package, releases it, and quarantines all of an account that is disabled', async () => {
  await using server = await startClientServer()
  await using operator = await createCliUser({ DATABASE_URL: server.databaseUrl })
  const identifier = 'com.example.blinky'
  await sql`insert into packages
    (identifier, owner, visibility, type, name, description, author, license, tags, metadata, created_at, updated_at, search)
    values (${identifier}, 'ada', 'public', 'plugin', 'Blinky', '', 'Ada', 'MIT', '{}',
      '{"author": {"name": "Ada", "contact": {}}, "resources": {}}', now(), now(), '')`.execute(server.db)
  const page = async () => (await fetch(`${server.url}/registry/packages/${identifier}`)).status
  const quarantined = await operator.run('admin', 'quarantine', identifier, '--reason', 'Steals keys')
  expect(quarantined).toMatchObject({ code: 0, stderr: '' })
  expect(await page()).toBe(451)
  expect(await operator.run('admin', 'release', identifier)).toMatchObject({ code: 0, stderr: '' })
  expect(await page()).toBe(200)
  expect(await operator.run('admin', 'release', 'com.example.other')).toMatchObject({
    code: 1,
    stderr: 'There is no package with this identifier.\n',
  })
  const disabled = await operator.run('admin', 'disable', 'ada', '--quarantine-packages')
  expect(disabled).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Quarantined packages of ada: 1.'),
  })
  expect(await page()).toBe(451)
  const { rows } = await sql<{ entry: string }>`
    select action || ' by ' || actor as entry from registry_audit order by id`.execute(server.db)
  expect(rows.map(({ entry }) => entry)).toEqual([
    'quarantined by operator',
    'released by operator',
    'quarantined by operator',
  ])
})

test('[CLI-32] without a database, its tables or a configuration, it says what is missing', async () => {
  await using empty = await cloneDatabase({ fingerprint: 'empty', migrate: async () => undefined })
  const nobody = `postgres://localhost:${await freePort()}/patchbay`
  for (const [environment, expected, words] of [
    [{ DATABASE_URL: empty.url }, 69, /no tables of this version yet\. Start the server once/],
    [{ DATABASE_URL: nobody }, 69, /cannot be reached/],
    [{}, 78, /DATABASE_URL: is not set/],
  ] as const) {
    await using operator = await createCliUser(environment)
    for (const args of [['link'], ['disable', 'ada']]) {
      const { code, stdout, stderr } = await operator.run('admin', ...args)
      expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
      expect(stderr).toMatch(words)
      expect(stderr).not.toMatch(/\n\s+at |\.ts:\d/)
    }
  }
}, 60_000)
