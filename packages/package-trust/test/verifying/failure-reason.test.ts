import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { failureOf } from '../../src/verifying/failure-reason.ts'

const require = createRequire(import.meta.url)

/** All the code of the libraries whose words are read. */
const SOURCE = ['tuf-js', '@tufjs/models']
  .map((name) => dirname(require.resolve(name)))
  .flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  )
  .join('\n')

/** What the libraries say, the part of it that is always the same, and what it means. */
const SAYINGS = [
  ['New timestamp version 1 is less than current version 2', ' is less than current version ', 'rollback'],
  ['New version 1 of a.json is less than current version 2', ' is less than current version ', 'rollback'],
  ['Missing file a.json in new snapshot', ' in new snapshot', 'rollback'],
  ['Final root.json is expired', 'Final root.json is expired', 'freeze'],
  ['Final timestamp.json is expired', 'Final timestamp.json is expired', 'freeze'],
  ['snapshot.json is expired', 'snapshot.json is expired', 'freeze'],
  ['targets.json is expired', '.json is expired', 'freeze'],
  ['targets was signed by 0/1 keys', ' was signed by ', 'bad_signature'],
  ['Expected length 1 but got 2', 'Expected length ', 'mix_and_match'],
  ['Expected hash a but got b', 'Expected hash ', 'mix_and_match'],
  ['Expected version 2, got 3', 'Expected version ', 'mix_and_match'],
  [
    'Version 1 of bin-0 does not match snapshot version 2',
    ' does not match snapshot version ',
    'mix_and_match',
  ],
  ["Snapshot version doesn't match timestamp", "Snapshot version doesn't match timestamp", 'mix_and_match'],
] as const

test.each(SAYINGS)('[A-269] "%s" is still said, and its reason is known', (text, fixed, reason) => {
  expect(SOURCE).toContain(fixed)
  expect(failureOf(new Error(text))).toMatchObject({ name: 'TrustFailure', reason })
})

test('[A-269] what is not in the table is a bad signature, and a disk that fails is itself', () => {
  expect(failureOf(new Error('something new'))).toMatchObject({ reason: 'bad_signature' })
  const disk = new Error('Failed to persist metadata root error: ENOSPC')
  expect(SOURCE).toContain('Failed to persist metadata ')
  expect(failureOf(disk)).toBe(disk)
})
