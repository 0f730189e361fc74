import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { atLatest, depth } from '@patchbay/testkit/depth'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { type Connection, SECRET, startConnection } from './connection.ts'

const SCRIPT = join(import.meta.dirname, 'token-process.ts')

/** Started, and waiting for the word. */
async function startAskers({ proxy, folder }: Connection, count: number): Promise<RunningProcess[]> {
  const askers = Array.from({ length: count }, () =>
    startProcess(process.execPath, [SCRIPT, proxy.tokenUrl, folder, SECRET], { stdio: 'pipe' }),
  )
  const ready = () => askers.every((asker) => asker.output().includes('ready'))
  await waitUntil('all processes are ready', ready, { deadlineMs: 180_000 })
  return askers
}

function ask(asker: RunningProcess): void {
  asker.child.stdin?.write('now\n')
}

async function tokenOf(asker: RunningProcess): Promise<string | undefined> {
  await waitUntil('a token comes', () => asker.output().includes('got '), { deadlineMs: 60_000 })
  return /got (.*)\n/.exec(asker.output())?.[1]
}

const MANY = depth({ common: 6, deep: 50 })

test(`[B-550] ${MANY} processes at once make one request, and all get its token`, async () => {
  await using connection = await startConnection()
  await connection.connect()
  connection.proxy.delayMs = 200
  const askers = await startAskers(connection, MANY)
  askers.forEach(ask)
  const tokens = await Promise.all(askers.map(tokenOf))
  expect(connection.proxy.requests).toHaveLength(1)
  expect(new Set(tokens)).toEqual(new Set([(await connection.read()).accessToken]))
  await Promise.all(askers.map((asker) => asker.kill()))
  expect(await readdir(join(connection.folder, 'idp'))).toEqual(['ada.json'])
}, 300_000)

test('[B-552] when the process that refreshes is killed, another takes its place within seconds', async () => {
  await using connection = await startConnection()
  await connection.connect()
  const [first, ...others] = await startAskers(connection, 4)
  if (first === undefined) throw new Error('nobody asks')
  connection.proxy.faults.push('hang')
  ask(first)
  await waitUntil('the first one asks the provider', () => connection.proxy.requests.length === 1)
  others.forEach(ask)
  process.kill(first.pid, 'SIGKILL')
  const killed = performance.now()
  const tokens = await Promise.all(others.map(tokenOf))
  expect(performance.now() - killed).toBeLessThan(atLatest(8_000))
  expect(new Set(tokens)).toEqual(new Set([(await connection.read()).accessToken]))
  expect(connection.proxy.requests).toHaveLength(2)
  await Promise.all(others.map((asker) => asker.kill()))
  expect(await readdir(join(connection.folder, 'idp'))).toEqual(['ada.json'])
}, 120_000)

test('[B-517] a disk that is full is found out before the provider is asked', async () => {
  await using connection = await startConnection()
  await connection.connect()
  const before = await connection.read()
  // Files beyond the limit cannot be written, which is what a full disk looks like from inside.
  const limited = 'ulimit -f 8; exec "$0" "$@"'
  const { tokenUrl } = connection.proxy
  await using asker = startProcess(
    'sh',
    ['-c', limited, process.execPath, SCRIPT, tokenUrl, connection.folder, SECRET],
    { stdio: 'pipe' },
  )
  await waitUntil('the process is ready', () => asker.output().includes('ready'), { deadlineMs: 30_000 })
  ask(asker)
  expect(await tokenOf(asker)).toContain('EFBIG')
  expect(connection.proxy.requests).toEqual([])
  expect(await connection.read()).toEqual(before)
  expect(await readdir(join(connection.folder, 'idp'))).toEqual(['ada.json'])
})
