import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeAccount } from '../installation/accounts.ts'
import { createCliUser } from './run-cli.ts'
import { startClientServer } from './start-server.ts'

vi.setConfig({ testTimeout: 120_000 })

let server: Awaited<ReturnType<typeof startClientServer>>
let operator: Awaited<ReturnType<typeof createCliUser>>
const JOB = 'ab'.repeat(32)
beforeAll(async () => {
  server = await startClientServer()
  operator = await createCliUser({ DATABASE_URL: server.databaseUrl })
  const grace = await makeAccount(server, 'grace', { name: 'Grace \u001B[31mHopper' })
  await sql`insert into api_keys (person_id, name, prefix, key_hash, scopes, created_at)
    values (${grace.id}, 'build', 'pbk_1234', 'x'::bytea, '{packages:grace/*}', now())`.execute(server.db)
  await sql`insert into board_jobs (key, engine, operation, options, file, inputs, priority, owner, state, created_at,
      queued_at, used_at)
    values (${JOB}, '9', 'drc', '{}', 'a.kicad_pcb', '[]', 1, 'grace', 'queued', now(), now(), now())`.execute(
    server.db,
  )
}, 120_000)
afterAll(async () => {
  await operator[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const json = async <T>(...args: string[]): Promise<T> =>
  JSON.parse((await operator.run('admin', ...args, '--json')).stdout) as T
const stateOf = async (key: string) =>
  (
    await sql<{ state: string; fault_detail: string | null }>`
    select state, fault_detail from board_jobs where key = ${key}`.execute(server.db)
  ).rows[0]

test('[CLI-262] what an operator looks for is one command, in words or as JSON', async () => {
  const status = await json<{ what: string; value: number }[]>('status')
  expect(status).toContainEqual({ what: 'board jobs queued', value: 1 })
  expect(await json('accounts', 'HOPPER')).toMatchObject([{ handle: 'grace', kind: 'person', keys: 1 }])
  expect(await json('keys', 'grace')).toMatchObject([{ name: 'build', scopes: 'packages:grace/*' }])
  expect(await json('jobs', 'grace')).toMatchObject([{ id: JOB, state: 'queued', operation: 'drc' }])
  expect([await json('devices', 'nowhere'), await json('usage', 'nowhere')]).toEqual([[], []])
  const { stdout } = await operator.run('admin', 'accounts', 'grace')
  expect(stdout).toMatch(
    /^handle +kind +name +is admin +disabled at +sessions +keys +seen at\ngrace +person /,
  )
  expect(stdout).not.toContain('\u001B')
})

test('[CLI-263] what an operator does is done once, and noted with its reason', async () => {
  expect(await operator.run('admin', 'cancel-job', JOB, '--reason', 'it hangs')).toMatchObject({ code: 0 })
  expect(await stateOf(JOB)).toMatchObject({
    state: 'refused',
    fault_detail: 'The operator ended it: it hangs',
  })
  expect(await json('cancel-job', JOB, '--reason', 'again')).toMatchObject({ error: { code: 'refused' } })
  expect(await json('retry-job', JOB, '--reason', 'KiCad was replaced')).toEqual({
    done: 'retry-job',
    id: JOB,
  })
  expect(await stateOf(JOB)).toMatchObject({ state: 'queued', fault_detail: null })
  const [key] = await json<{ id: string }[]>('keys', 'grace')
  expect(await json('end-key', key?.id ?? '', '--reason', 'leaked')).toMatchObject({ done: 'end-key' })
  expect(await json('keys', 'grace')).toEqual([])
  await operator.run('admin', 'end-access', 'grace', '--reason', 'laptop stolen')
  expect(await json('set-file-quota', 'grace', '100', '--reason', 'many models')).toMatchObject({
    id: 'grace',
  })
  expect(await json('usage', 'grace')).toMatchObject([{ fileBytes: 0, fileQuotaBytes: 100 * 1024 ** 3 }])
  expect(await json('set-file-quota', 'nobody', '1', '--reason', 'x')).toMatchObject({
    error: { message: 'Nobody has this handle.' },
  })
  expect(await json('yank-version', 'com.example.none@1.0', '--reason', 'x')).toMatchObject({
    error: { message: expect.stringContaining('There is no such version.') },
  })
  const audit = await json<{ action: string; detail: string }[]>('audit')
  expect(audit.map(({ action, detail }) => `${action}: ${detail}`)).toEqual([
    'set-file-quota: many models',
    'end-access: laptop stolen',
    'end-key: leaked',
    'retry-job: KiCad was replaced',
    'cancel-job: it hangs',
  ])
  expect(await json('audit', 'laptop')).toMatchObject([{ who: 'operator', target: 'grace' }])
})

test('[CLI-264] without a reason nothing is done, and without a database that is said', async () => {
  expect((await operator.run('admin', 'cancel-job', JOB)).code).not.toBe(0)
  expect(await stateOf(JOB)).toMatchObject({ state: 'queued' })
  await using lost = await createCliUser({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })
  const answer = await lost.run('admin', 'status', '--json')
  expect(answer.code).toBe(69)
  expect(JSON.parse(answer.stdout)).toMatchObject({
    error: { message: expect.stringContaining('DATABASE_URL') },
  })
})
