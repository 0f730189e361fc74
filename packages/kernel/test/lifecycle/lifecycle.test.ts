import { expect, test } from 'vitest'
import { Lifecycle } from '../../src/lifecycle/index.ts'
import { createLog } from '../../src/log/index.ts'

function startLifecycle() {
  const lines: string[] = []
  const stopped: string[] = []
  const lifecycle = new Lifecycle(
    createLog({ level: 'info', process: 'test', destination: { write: (line) => lines.push(line) } }),
  )
  const add = (name: string, stop: () => Promise<void> = async () => {}) =>
    lifecycle.start(
      name,
      async () => name,
      async (part) => {
        stopped.push(part)
        await stop()
      },
    )
  return { lifecycle, lines, stopped, add }
}

test('[K-701] parts stop in the reverse order of their start', async () => {
  const { lifecycle, stopped, add } = startLifecycle()
  for (const name of ['database', 'bus', 'http']) await add(name)
  expect(await lifecycle.stop(1_000)).toBe(true)
  expect(stopped).toEqual(['http', 'bus', 'database'])
})

test('[K-701] a part that fails or hangs does not keep the others from stopping', async () => {
  const { lifecycle, lines, stopped, add } = startLifecycle()
  await add('database')
  await add('broken', () => Promise.reject(new Error('no')))
  await add('hung', () => new Promise(() => {}))
  expect(await lifecycle.stop(100)).toBe(false)
  expect(stopped).toEqual(['hung', 'broken', 'database'])
  expect(lines.join('')).toMatch(/"part":"hung".*did not stop in time[\s\S]*"part":"broken"/)
})

test('[K-702] stopping twice is stopping once', async () => {
  const { lifecycle, stopped, add } = startLifecycle()
  await add('http')
  await Promise.all([lifecycle.stop(1_000), lifecycle.stop(1_000)])
  expect(stopped).toEqual(['http'])
})

test('[K-703] a start that fails half-way stops what had started and passes the cause on', async () => {
  const { lifecycle, stopped, add } = startLifecycle()
  await add('database')
  const failing = lifecycle.start(
    'http',
    () => Promise.reject(new Error('port taken')),
    async () => {},
  )
  await expect(failing).rejects.toThrow('port taken')
  expect(stopped).toEqual(['database'])
})
