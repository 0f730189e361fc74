import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { describeThisProcess, isRunning, livenessOf, readProcessStat } from '../src/process/index.ts'

const start = () => startProcess(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])

test('[PR-6] a process is alive until it ends, and so is nobody who has its number later', async () => {
  await using child = start()
  const self = describeThisProcess()
  const stat = readProcessStat(child.pid)
  const other = { ...self, pid: child.pid, started: stat?.started ?? '' }
  expect(livenessOf(other, self)).toBe('alive')
  expect(livenessOf({ ...other, started: '1' }, self)).toBe('gone')
  expect(isRunning(child.pid)).toBe(true)
  await child.kill('SIGKILL')
  await waitUntil('the child is gone', () => !isRunning(child.pid))
  expect(livenessOf(other, self)).toBe('gone')
})

test('[PR-6] of a process that is not shown, it is known only when it is gone', async () => {
  await using child = start()
  const self = describeThisProcess()
  const other = { ...self, pid: child.pid }
  const nothingShown = () => undefined
  expect(livenessOf(other, self, nothingShown)).toBe('unknown')
  await child.kill('SIGKILL')
  await waitUntil('the child is gone', () => livenessOf(other, self, nothingShown) === 'gone')
})

test('[PR-7] nothing that ran before this machine was started again runs still', () => {
  const self = { ...describeThisProcess(), machineId: 'a1' }
  const before = { ...self, machine: 'another-boot pid:[1]' }
  expect(livenessOf(before, self)).toBe('gone')
})

test.each([
  ['another machine of the same name', { machineId: 'b2' }],
  ['a machine that does not tell which it is', { machineId: '' }],
  ['another machine', { host: 'elsewhere' }],
])('[PR-7] a process of %s cannot be seen', (_, changes) => {
  const self = { ...describeThisProcess(), machineId: 'a1' }
  expect(livenessOf({ ...self, machine: 'another-boot pid:[1]', ...changes }, self)).toBe('unknown')
  const nameless = { ...self, machineId: '' }
  expect(livenessOf({ ...nameless, machine: 'another-boot pid:[1]' }, nameless)).toBe('unknown')
})

test('[PR-7] a process of another container on the same boot cannot be seen', () => {
  const self = describeThisProcess()
  const [boot] = self.machine.split(' ')
  expect(livenessOf({ ...self, machine: `${boot} pid:[1]` }, self)).toBe('unknown')
})
