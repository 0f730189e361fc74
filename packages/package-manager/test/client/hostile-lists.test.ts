import { expect, test } from 'vitest'
import { failureOf, publish, samplePackage, startBench } from './sample.ts'

const nothings = (length: number) => Array.from({ length }, () => ({}))
const PATIENT = { limits: { deadlineMs: 60_000, idleMs: 60_000 } }

test('[A-316] of a list of nothing but faults the first hundred are explained, and the others cost nothing', async () => {
  await using bench = await startBench()
  publish(bench.server, [samplePackage('com.example.fine'), ...nothings(100_000)])
  const start = process.cpuUsage()
  const { packages, quarantined } = await bench.open({}, PATIENT).refresh()
  const { user, system } = process.cpuUsage(start)
  expect(packages).toHaveLength(1)
  expect(quarantined).toHaveLength(100_000)
  expect(quarantined[99]?.findings.length).toBeGreaterThan(5)
  expect(quarantined[100]?.findings).toMatchObject([{ severity: 'error', code: 'not_explained' }])
  expect(new Set(quarantined.slice(100).map(({ findings }) => findings)).size).toBe(1)
  expect((user + system) / 1000).toBeLessThan(5_000)
})

test('[A-316] a package that is not explained claims its identifier all the same', async () => {
  await using bench = await startBench()
  const broken = { identifier: 'com.example.broken' }
  publish(bench.server, [...nothings(150), broken, samplePackage('com.example.broken')])
  const { packages, quarantined } = await bench.open().refresh()
  expect(packages).toEqual([])
  expect(quarantined.filter(({ identifier }) => identifier === 'com.example.broken')).toHaveLength(2)
})

test('[A-316] a list with more than 200,000 packages is refused', async () => {
  await using bench = await startBench()
  publish(bench.server, Array(200_001).fill(0))
  expect(await failureOf(bench.open({}, PATIENT).refresh())).toMatchObject({ code: 'too_large' })
})

test('[A-331] while a long list is looked through others have their turn, and it can be stopped', async () => {
  await using bench = await startBench()
  publish(bench.server, nothings(100_000))
  const controller = new AbortController()
  let turns = 0
  const call = bench.open({}, PATIENT).refresh({
    signal: controller.signal,
    onProgress: ({ step, bytes, total }) => {
      if (step !== 'packages' || bytes !== total) return
      const watch = () => {
        turns += 1
        if (turns < 20) setImmediate(watch)
        else controller.abort(new Error('enough'))
      }
      setImmediate(watch)
    },
  })
  expect((await failureOf(call)).message).toBe('enough')
  expect(await bench.open().readCached()).toBeUndefined()
})
