import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { depth } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { describeThisProcess } from '../../src/process/index.ts'
import type { Contest, ContestResult } from './contender.ts'

const CONTENDERS = 8
const CONTESTS = depth({ common: 60, deep: 10_000 })
/** Most of a contest is waiting. */
const AT_ONCE = 40

test(
  '[PR-2] S9: of 8 processes never two hold a lock at once, and each gets it in the end',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-contests-'))
    const children = Array.from({ length: CONTENDERS }, () => fork(join(import.meta.dirname, 'contender.ts')))
    try {
      const faults: string[] = []
      const self = { ...describeThisProcess(), since: '2026-01-01T00:00:00.000Z' }
      const claim = (started: string) => JSON.stringify({ id: randomUUID(), ...self, started })
      // What is there before: nothing, a claim of a process that is dead, half a claim that somebody left.
      const before = [undefined, claim('1'), '{"id":"']
      const waiting = new Map<string, (result: ContestResult) => void>()
      const { promise: died, reject: die } = Promise.withResolvers<never>()
      for (const child of children) {
        child.on('message', (result: ContestResult) => waiting.get(result.path)?.(result))
        child.once('exit', (code, signal) => die(new Error(`a contender ended (${signal ?? code})`)))
      }

      const hold = async (index: number) => {
        const path = join(folder, `${index}.lock`)
        const text = before[index % before.length]
        if (text !== undefined) await writeFile(path, text)
        const { promise, resolve } = Promise.withResolvers<void>()
        let left = CONTENDERS
        waiting.set(path, ({ fault }) => {
          if (fault !== undefined) faults.push(`contest ${index}: ${fault}`)
          left -= 1
          if (left === 0) resolve()
        })
        for (const child of children) {
          const contest: Contest = {
            path,
            beginAfterMs: Math.random() < 0.5 ? 0 : Math.random() * 20,
            holdForMs: Math.random() * 3,
            dies: Math.random() < 0.3,
          }
          child.send(contest)
        }
        await promise
        waiting.delete(path)
      }
      let next = 0
      const holdMany = async () => {
        for (let index = next++; index < CONTESTS; index = next++) await hold(index)
      }
      await Promise.race([died, Promise.all(Array.from({ length: AT_ONCE }, holdMany))])
      expect(faults).toEqual([])
    } finally {
      for (const child of children) child.removeAllListeners('exit').kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    }
  },
  depth({ common: 120_000, deep: 1_800_000 }),
)
