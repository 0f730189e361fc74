import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readConfig } from '@patchbay/kernel/config'
import { createDatabase } from '@patchbay/kernel/postgres'
import { startPostgres } from '@patchbay/testkit/postgres'
import { waitUntil, withCompiledCode } from '@patchbay/testkit/processes'
import { startRedis } from '@patchbay/testkit/redis'
import { expect, test } from 'vitest'
import { serverConfig } from '../src/index.ts'
import { migratedDatabase, spawnServer, startTestServer } from './start.ts'

const run = promisify(execFile)
const CLI = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url))
const statusOf = async (url: string) => (await fetch(url)).status

test('[S-1][S-8] from environment variables alone: migrates an empty database, answers, drains on SIGTERM', async () => {
  await using postgres = await startPostgres()
  await using server = await spawnServer({ DATABASE_URL: await postgres.createDatabase('empty') })
  await waitUntil('the server is ready', async () => (await statusOf(`${server.url}/ready`)) === 200)
  expect(await (await fetch(`${server.url}/api/about`)).json()).toMatchObject({ name: 'patchbay' })
  server.child.kill('SIGTERM')
  expect(await server.exited).toEqual([0, null])
})

test('[S-8] SIGTERM drains and exits 0', async () => {
  await using database = await migratedDatabase()
  await using server = await spawnServer({ DATABASE_URL: database.url })
  server.child.kill('SIGTERM')
  expect(await server.exited).toEqual([0, null])
  expect(server.output()).toMatch(/draining[\s\S]*"clean":true/)
})

test('[S-2] faults start nothing: all are printed and the exit code is 78', async () => {
  const env = { PATH: process.env['PATH'], PATCHBAY_PORT: 'x', PATCHBAY_PROT: '1', REDIS_URL: 'http://x' }
  for (const args of [['server'], ['server', '--check-config']]) {
    const failure = run(process.execPath, [CLI, ...args], { env: withCompiledCode(env) })
    await expect(failure).rejects.toMatchObject({ code: 78 })
    const { stderr } = (await failure.catch((error: unknown) => error)) as { stderr: string }
    for (const variable of ['DATABASE_URL', 'PATCHBAY_PORT', 'PATCHBAY_PROT', 'REDIS_URL'])
      expect(stderr).toContain(variable)
  }
})

test('[S-2] a bucket without its keys is a fault', async () => {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: 'postgres://localhost/x',
    PATCHBAY_OBJECTS_URL: 's3://bucket',
  }
  const failure = run(process.execPath, [CLI, 'server', '--check-config'], { env: withCompiledCode(env) })
  await expect(failure).rejects.toMatchObject({
    code: 78,
    stderr: expect.stringMatching(/ACCESS_KEY_ID[\s\S]*SECRET_ACCESS_KEY/),
  })
})

test('[S-14] addresses over which nobody could sign in are faults', async () => {
  const issuer = {
    id: 'company',
    issuer: 'http://id.example.com',
    client_id: 'x',
    client_secret: 'hush-hush',
  }
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: 'postgres://localhost/x',
    PATCHBAY_PUBLIC_URL: 'http://patchbay.example.com',
    PATCHBAY_OIDC_ISSUERS: JSON.stringify([issuer]),
  }
  const check = (more: Record<string, string>) =>
    run(process.execPath, [CLI, 'server', '--check-config'], { env: withCompiledCode({ ...env, ...more }) })
  const failure = check({})
  await expect(failure).rejects.toMatchObject({
    code: 78,
    stderr: expect.stringMatching(
      /PATCHBAY_PUBLIC_URL[\s\S]*https[\s\S]*PATCHBAY_OIDC_ISSUERS[\s\S]*company/,
    ),
  })
  const { stderr } = (await failure.catch((error: unknown) => error)) as { stderr: string }
  expect(stderr).not.toContain('hush-hush')
  const local = [{ ...issuer, issuer: 'http://127.0.0.1:9000' }]
  const sound = { PATCHBAY_PUBLIC_URL: 'http://localhost:8790', PATCHBAY_OIDC_ISSUERS: JSON.stringify(local) }
  expect((await check(sound)).stdout).toContain('sound')
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
  await using one = await startTestServer({ REDIS_URL: redis.url })
  await using other = await startTestServer({ REDIS_URL: redis.url })
  await using alone = await startTestServer()
  for (const { url } of [one, other, alone]) expect(await statusOf(`${url}/ready`)).toBe(200)
})

test('[S-10] a server that starts before its database waits for it', async () => {
  await using postgres = await startPostgres()
  const url = await postgres.createDatabase('late')
  await postgres.stop()
  await using server = await spawnServer({ DATABASE_URL: url })
  expect(await statusOf(`${server.url}/health`)).toBe(200)
  expect(await statusOf(`${server.url}/ready`)).toBe(503)
  expect(await (await fetch(`${server.url}/api/about`)).json()).toMatchObject({
    code: 'database_unavailable',
  })
  await waitUntil('it says so', () => server.output().includes('cannot be reached yet'))
  await postgres.restart()
  await waitUntil('the server is ready', async () => (await statusOf(`${server.url}/ready`)) === 200)
  expect(await statusOf(`${server.url}/api/about`)).toBe(200)
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
  await using server = await spawnServer({ DATABASE_URL: database.url })
  expect(await server.exited).toEqual([1, null])
  expect(server.output()).toMatch(/cannot start/)
  expect(server.output()).toContain('kernel/0001_installation.sql')
})
