import { expect, test } from 'vitest'
import { KeyedMutex } from '../../src/async/index.ts'
import { heldWork } from './held-work.ts'

test('[PR-70] under one key work runs one at a time and in order, under another beside it', async () => {
  const mutex = new KeyedMutex()
  const { begun, work, finish } = heldWork()
  const runs = [mutex.run('a', work(1)), mutex.run('a', work(2)), mutex.run('b', work(3))]
  await expect.poll(() => begun).toEqual([1, 3])
  expect([mutex.isLocked('a'), mutex.isLocked('b'), mutex.isLocked('c')]).toEqual([true, true, false])
  finish(3)
  finish(1)
  await expect.poll(() => begun).toEqual([1, 3, 2])
  finish(2)
  expect(await Promise.all(runs)).toEqual([1, 2, 3])
})

test('[PR-70] work that fails is the failure of its caller alone, and no key stays locked', async () => {
  const mutex = new KeyedMutex()
  const failing = mutex.run('a', () => Promise.reject(new Error('failed')))
  const next = mutex.run('a', async () => 'next')
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('next')
  expect(mutex.isLocked('a')).toBe(false)
})

test('[PR-70] it is idle once all is done, also what was added meanwhile', async () => {
  const mutex = new KeyedMutex()
  const done: string[] = []
  const note = (name: string) => async () => void done.push(name)
  void mutex.run('a', async () => {
    void mutex.run('b', note('b'))
    done.push('a')
  })
  await mutex.idle()
  expect(done).toEqual(['a', 'b'])
})
