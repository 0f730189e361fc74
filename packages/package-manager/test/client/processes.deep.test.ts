import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { samplePackage, sha256, startBench } from './sample.ts'

const SCRIPT = join(import.meta.dirname, 'refresh-process.ts')
const ROUNDS = 25

test('[A-321] processes that refresh one cache at once always see a whole state, and never go back', async () => {
  await using bench = await startBench()
  let count = 0
  const lists = new Map<string, string>()
  bench.server.handlers.set('/repository.json', (_request, response) => {
    count += 1
    const list = JSON.stringify({ packages: [samplePackage('com.example.blinky', { name: `n${count}` })] })
    lists.set(`/${count}.json`, list)
    bench.server.serve(`/${count}.json`, list)
    const packages = {
      url: `${bench.server.origin}/${count}.json`,
      sha256: sha256(list),
      update_timestamp: count,
    }
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ name: 'Busy', packages }))
  })
  const cacheFolder = join(bench.folder, 'cache')
  const url = `${bench.server.origin}/repository.json`
  const run = async () =>
    (await promisify(execFile)(process.execPath, [SCRIPT, url, cacheFolder, String(ROUNDS)])).stdout
      .trim()
      .split('\n')
  const outputs = await Promise.all([run(), run()])
  const outcomes = outputs.flat()
  expect(outcomes).toHaveLength(2 * ROUNDS)
  expect(outcomes.filter((line) => !/^(\d+) n\1$/.test(line))).toEqual([])
  expect((await bench.open().readCached())?.updateTimestamp).toBe(count)
  // Of two that write at once, one may not see what the other has left; the next one does.
  await bench.open().refresh()
  const [folder = ''] = await readdir(cacheFolder)
  const states = await readdir(join(cacheFolder, folder, 'states'))
  expect(states).toHaveLength(1)
}, 60_000)

test.each([404, 301])(
  '[A-349] after a failed request, with %d, the process ends at once',
  async (status) => {
    await using bench = await startBench()
    bench.server.handlers.set(
      '/repository.json',
      (_request, response) => void response.writeHead(status).end(),
    )
    const url = `${bench.server.origin}/repository.json`
    const start = performance.now()
    const script = join(import.meta.dirname, 'exit-process.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [script, url, join(bench.folder, 'cache')])
    expect(stdout).toBe(status === 404 ? 'not_found\n' : 'redirect_refused\n')
    // The waits that would be left over are 20 s and longer.
    expect(performance.now() - start).toBeLessThan(15_000)
  },
  60_000,
)
