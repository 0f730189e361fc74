import type { BoardJob } from '@patchbay/contracts/boards'
import { expect, test } from 'vitest'
import { requireJob } from '../src/boards/jobs.ts'
import { requireDrawn } from '../src/boards/pictures.ts'

test('[BN-66] a job that failed, was tried twice, has no results, or was not new or known as it had to be, does not count', () => {
  const job = { operation: 'erc', state: 'done', attempts: 1, results: [{}] } as unknown as BoardJob
  expect(() => requireJob(job, { status: 201, isNew: true })).not.toThrow()
  expect(() => requireJob(job, { status: 200, isNew: false })).not.toThrow()
  expect(() => requireJob(job, { status: 200, isNew: true })).toThrow(/known already/)
  expect(() => requireJob(job, { status: 201, isNew: false })).toThrow(/computed again/)
  expect(() => requireJob({ ...job, attempts: 2 }, { status: 201, isNew: true })).toThrow(/2 attempts/)
  expect(() => requireJob({ ...job, state: 'failed' }, { status: 201, isNew: true })).toThrow(/failed/)
  expect(() => requireJob({ ...job, results: [] }, { status: 201, isNew: true })).toThrow(/no results/)
})

test('[BN-67] a board that was drawn when it was kept, or not drawn when it was new, does not count', () => {
  expect(() => requireDrawn(1, 1)).not.toThrow()
  expect(() => requireDrawn(2, 1)).toThrow(/2 times instead of 1/)
  expect(() => requireDrawn(0, 1)).toThrow(/0 times/)
})
