import { readConfig } from '@patchbay/kernel/config'
import type { Surroundings } from '@patchbay/kernel/lifecycle'
import { createDatabase } from '@patchbay/kernel/postgres'
import { freePort } from '@patchbay/testkit/ports'
import { waitUntil } from '@patchbay/testkit/processes'
import { startRedis } from '@patchbay/testkit/redis'
import { expect, test } from 'vitest'
import { checkServerConfig, runServer, serverChecks, serverConfig } from '../src/index.ts'
import { createRelay } from './relay.ts'
import { emptyDatabase, migratedDatabase, spawnServer, startServerProcess, startTestServer } from './start.ts'

const statusOf = async (url: string) => (await fetch(url)).status

/** What a command of the command line is given, with what it did written down. */
function recordingSurroundings(environment: Record<string, string>) {
  const done = { printed: [] as string[], errors: [] as string[], exits: [] as number[] }
  const surroundings: Surroundings = {
    environment,
    host: { on: () => {}, exit: (code) => void done.exits.push(code) },
    runId: 'test',
    createNonce: () => 'nonce',
    createSecret: () => 'secret',
    print: (text) => void done.printed.push(text),
    printError: (text) => void done.errors.push(text),
  }
  return { surroundings, done }
}

function checked(environment: Record<string, string>) {
  const { surroundings, done } = recordingSurroundings(environment)
  checkServerConfig(surroundings)
  return { ...done, words: done.errors.join('\n') }
}

test('[S-1][S-8] from environment variables alone: migrates an empty database, answers, drains on SIGTERM', async () => {
  await using database = await emptyDatabase()
  await using server = await spawnServer({ DATABASE_URL: database.url })
  await waitUntil('the server is ready', async () => (await statusOf(`${server.url}/ready`)) === 200, {
    deadlineMs: 30_000,
  })
  expect(await (await fetch(`${server.url}/api/about`)).json()).toMatchObject({ name: 'patchbay' })
  server.child.kill('SIGTERM')
  expect(await server.exited).toEqual([0, null])
  expect(server.output()).toMatch(/"clean":true/)
}, 120_000)

test.each<[string, (surroundings: Surroundings) => Promise<void>]>([
  ['the server', runServer],
  ['--check-config', async (surroundings) => checkServerConfig(surroundings)],
])('[S-2] faults start nothing: %s prints all of them and exits with 78', async (_what, command) => {
  const environment = { PATCHBAY_PORT: 'x', PATCHBAY_PROT: '1', REDIS_URL: 'http://x' }
  const { surroundings, done } = recordingSurroundings(environment)
  await command(surroundings)
  expect(done).toMatchObject({ exits: [78], printed: [] })
  for (const variable of ['DATABASE_URL', 'PATCHBAY_PORT', 'PATCHBAY_PROT', 'REDIS_URL'])
    expect(done.errors.join('\n')).toContain(variable)
})

test('[S-2] a bucket without its keys is a fault', () => {
  const { exits, words } = checked({
    DATABASE_URL: 'postgres://localhost/x',
    PATCHBAY_OBJECTS_URL: 's3://bucket',
  })
  expect(exits).toEqual([78])
  expect(words).toMatch(/ACCESS_KEY_ID[\s\S]*SECRET_ACCESS_KEY/)
})

test('[S-14] addresses over which nobody could sign in are faults', () => {
  const issuer = {
    id: 'company',
    issuer: 'http://id.example.com',
    client_id: 'x',
    client_secret: 'hush-hush',
  }
  const environment = {
    DATABASE_URL: 'postgres://localhost/x',
    PATCHBAY_PUBLIC_URL: 'http://patchbay.example.com',
    PATCHBAY_OIDC_ISSUERS: JSON.stringify([issuer]),
  }
  const { exits, words } = checked(environment)
  expect(exits).toEqual([78])
  expect(words).toMatch(/PATCHBAY_PUBLIC_URL[\s\S]*https[\s\S]*PATCHBAY_OIDC_ISSUERS[\s\S]*company/)
  expect(words).not.toContain('hush-hush')
  const local = [{ ...issuer, issuer: 'http://127.0.0.1:9000' }]
  const sound = { PATCHBAY_PUBLIC_URL: 'http://localhost:8790', PATCHBAY_OIDC_ISSUERS: JSON.stringify(local) }
  expect(checked({ ...environment, ...sound })).toMatchObject({ exits: [], errors: [] })
})

test.for([
  ['not JSON', '[{', 'JSON'],
  ['no list', '{}', 'list'],
  ['an unknown key', '[{"id":"a","issuer":"https://a.example","client_id":"x","secret":"y"}]', 'secret'],
  ['a missing client', '[{"id":"a","issuer":"https://a.example"}]', 'client_id'],
  [
    'an id twice',
    JSON.stringify(
      Array.from({ length: 2 }, () => ({ id: 'a', issuer: 'https://a.example', client_id: 'x' })),
    ),
    'twice',
  ],
])('[S-14] issuers that are %s are a fault', ([, issuers = '', word = '']) => {
  const environment = { DATABASE_URL: 'postgres://localhost/x', PATCHBAY_OIDC_ISSUERS: issuers }
  expect(() => readConfig(serverConfig, environment)).toThrow(word)
})

test('[S-6] two nodes with one Redis are both ready; a node without Redis is ready by itself', async () => {
  await using redis = await startRedis()
  await using database = await migratedDatabase()
  const shared = { DATABASE_URL: database.url, REDIS_URL: redis.url }
  await using one = await startTestServer(shared)
  await using other = await startTestServer(shared)
  await using alone = await startTestServer({ DATABASE_URL: database.url })
  for (const { url } of [one, other, alone]) expect(await statusOf(`${url}/ready`)).toBe(200)
})

test('[S-10] a server that starts before its database waits for it', async () => {
  await using database = await emptyDatabase()
  await using late = await createRelay(database.url)
  await using server = await startTestServer({ DATABASE_URL: late.url }, { awaitsDatabase: false })
  expect(await statusOf(`${server.url}/health`)).toBe(200)
  expect(await statusOf(`${server.url}/ready`)).toBe(503)
  expect(await (await fetch(`${server.url}/api/about`)).json()).toMatchObject({
    code: 'database_unavailable',
  })
  await waitUntil('it says so', () =>
    server.lines.some((line) => line.includes('database not reachable yet')),
  )
  await late.open()
  await waitUntil('the server is ready', async () => (await statusOf(`${server.url}/ready`)) === 200, {
    deadlineMs: 30_000,
  })
  expect(await statusOf(`${server.url}/api/about`)).toBe(200)
})

test('[K-851] O2: a server that starts with its engines there refuses nothing while it prepares', async () => {
  await using database = await migratedDatabase()
  await using slow = await createRelay(database.url)
  await slow.open()
  slow.block()
  const port = await freePort()
  const seen: string[] = []
  const ask = async () => {
    const outcome = await fetch(`http://127.0.0.1:${port}/api/about`).then(
      ({ status }) => String(status),
      () => 'not listening',
    )
    seen.push(outcome)
    return outcome
  }
  const starting = startTestServer({ DATABASE_URL: slow.url, PATCHBAY_PORT: String(port) })
  // Less than the five seconds after which a database that takes a connection and says nothing counts as away.
  await waitUntil('it was asked often', async () => (await ask()) !== 'not listening' || seen.length > 30)
  slow.unblock()
  await waitUntil('it answers', async () => (await ask()) === '200', { deadlineMs: 30_000 })
  await using _server = await starting
  expect([...new Set(seen)]).toEqual(['not listening', '200'])
}, 90_000)

test('[K-446] the doctor tells what a newer version has added from what this one cannot work with', async () => {
  await using database = await migratedDatabase()
  await using client = createDatabase<{ schema_migrations: Record<string, string | number> }>({
    url: database.url,
    poolSize: 1,
    applicationName: 'test',
  })
  const look = async () => {
    const { surroundings } = recordingSurroundings({ DATABASE_URL: database.url })
    return await serverChecks(surroundings)
      .find(({ name }) => name === 'PostgreSQL')
      ?.look()
  }
  const newer = { area: 'panels', name: 'later', sha256: '0' }
  await client.db
    .insertInto('schema_migrations')
    .values({ ...newer, number: 998, kind: 'expand' })
    .execute()
  expect(await look()).toMatchObject({
    state: 'ok',
    says: expect.stringContaining('and 1 of a newer version'),
  })
  await client.db
    .insertInto('schema_migrations')
    .values({ ...newer, number: 999, kind: 'contract' })
    .execute()
  expect(await look()).toMatchObject({
    state: 'fault',
    says: expect.stringContaining('panels/0999_later.sql'),
  })
})

test('[S-12] a migration that was changed after it had been applied stops the start', async () => {
  await using database = await migratedDatabase()
  await using client = createDatabase<{ schema_migrations: { sha256: string } }>({
    url: database.url,
    poolSize: 1,
    applicationName: 'test',
  })
  await client.db
    .updateTable('schema_migrations')
    .set({ sha256: '0'.repeat(64) })
    .execute()
  await using server = startServerProcess({ DATABASE_URL: database.url })
  expect(await server.exited).toEqual([1, null])
  expect(server.output()).not.toMatch(/listening/)
  expect(server.output()).toMatch(/cannot start/)
  expect(server.output()).toContain('kernel/0001_installation.sql')
}, 120_000)
