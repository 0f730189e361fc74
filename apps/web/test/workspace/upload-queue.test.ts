import { Problem } from '@patchbay/contracts/core'
import { expect, test } from 'vitest'
import { UploadQueue } from '../../src/workspace/panels/files/upload-queue.ts'

const file = (name: string) => ({ path: name, file: new File([name], name) })
const steps = (queue: UploadQueue) =>
  queue.uploads.get().list.map(({ path, state }) => `${path} ${state.step}`)
const settled = async (queue: UploadQueue) =>
  await expect.poll(() => steps(queue).filter((line) => !/ (?:taken|failed)$/.test(line))).toEqual([])

test('[W-506] three are sent at once, in their order, and what was stored is told at the end', async () => {
  const under = new Set<string>()
  const begun: string[] = []
  let most = 0
  const done: number[] = []
  const queue = new UploadQueue({
    async send(path) {
      begun.push(path)
      under.add(path)
      most = Math.max(most, under.size)
      await new Promise((resolve) => setTimeout(resolve))
      under.delete(path)
    },
    onStored: () => {},
    onDone: (stored) => done.push(stored),
  })
  const names = Array.from({ length: 20 }, (_, index) => `f${index}`)
  expect(queue.add('lib', names.map(file), new Map())).toBe(0)
  await settled(queue)
  expect([most, begun, done]).toEqual([3, names.map((name) => `lib/${name}`), [20]])
})

test('[W-507] an upload names the revision that its person has been told of, and asks again for a newer one', async () => {
  const sent: (number | undefined)[] = []
  let there = 7
  const queue = new UploadQueue({
    async send(_path, _file, { revision }) {
      sent.push(revision)
      if (revision !== there)
        throw new Problem('file_changed', { extensions: { current: { revision: there } } })
    },
    onStored: () => {},
    onDone: () => {},
  })
  queue.add('', [file('a')], new Map([['a', { revision: 5 }]]))
  expect([steps(queue), sent]).toEqual([['a taken'], []])
  queue.overwrite(queue.uploads.get().list.map(({ id }) => id))
  await settled(queue)
  there = 8
  queue.overwrite(queue.uploads.get().list.map(({ id }) => id))
  await settled(queue)
  queue.overwrite(queue.uploads.get().list.map(({ id }) => id))
  await expect.poll(() => steps(queue)).toEqual([])
  expect(sent).toEqual([5, 7, 8])
})

test('[W-506] what is dropped from the list is ended, and a name that is none is not sent', async () => {
  const ended: string[] = []
  const queue = new UploadQueue({
    send: async (path, _file, { signal }) =>
      await new Promise((_, reject) =>
        signal?.addEventListener('abort', () => {
          ended.push(path)
          reject(new Error('ended'))
        }),
      ),
    onStored: () => {},
    onDone: () => {},
  })
  queue.add('', [file('a'), file('.git'), file('b')], new Map())
  expect(steps(queue)).toEqual(['a sending', '.git failed', 'b sending'])
  queue.drop(queue.uploads.get().list.map(({ id }) => id))
  expect([ended, steps(queue)]).toEqual([['a', 'b'], []])
})
