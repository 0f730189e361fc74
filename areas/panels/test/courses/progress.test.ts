import { COURSE_LIMITS } from '@patchbay/contracts/limits'
import { expect, test } from 'vitest'
import type { TestCaller } from '../caller.ts'
import { takePanels } from '../start.ts'
import { makeWorkspaceOf, verdict } from '../workspaces/current.ts'

const BROWSER = { kind: 'browser' } as const

const record = (caller: TestCaller, at: string, folder: string, marks: object) =>
  caller.send('PATCH', `${at}/course-progress`, { folder, ...marks })

async function doneOf(caller: TestCaller, at: string, folder: string): Promise<string[]> {
  const answer = await caller.ask(`${at}/course-progress?folder=${folder}`)
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { done: string[] }).done
}

test('[D-400] each person has their own progress, also who may only look', async () => {
  await using node = await takePanels()
  const ada = node.as('ada', BROWSER)
  const at = await makeWorkspaceOf(ada, 'ada')
  node.access.grant('bob', 'ada', 'read')
  const bob = node.as('bob', BROWSER)
  expect(await doneOf(ada, at, 'course')).toEqual([])
  const answer = await record(ada, at, 'course', { done: ['01.md', '01.md#run'] })
  expect(await answer.json()).toEqual({ done: ['01.md', '01.md#run'] })
  expect(await verdict(record(bob, at, 'course', { done: ['02.md'] }))).toBe('200')
  expect(await verdict(record(ada, at, 'course', { done: ['02.md#a'], notDone: ['01.md'] }))).toBe('200')
  expect(await doneOf(ada, at, 'course')).toEqual(['01.md#run', '02.md#a'])
  expect(await doneOf(bob, at, 'course')).toEqual(['02.md'])
  expect(await doneOf(ada, at, 'other')).toEqual([])
})

test('[D-400] neither keys nor people who may not look', async () => {
  await using node = await takePanels()
  const at = await makeWorkspaceOf(node.as('ada', BROWSER), 'ada')
  const key = node.as('ada', { kind: 'api_key' })
  expect(await verdict(key.ask(`${at}/course-progress`))).toBe('403 browser_session_required')
  expect(await verdict(record(key, at, '', { done: ['a'] }))).toBe('403 browser_session_required')
  expect(await verdict(record(node.as('carl', BROWSER), at, '', { done: ['a'] }))).toBe('403 not_permitted')
})

test('[D-401] marks that come at once are all kept', async () => {
  await using node = await takePanels()
  const ada = node.as('ada', BROWSER)
  const at = await makeWorkspaceOf(ada, 'ada')
  const marks = Array.from({ length: 40 }, (_, index) => `${10 + index}.md`)
  await Promise.all(marks.map((mark) => record(ada, at, 'course', { done: [mark] })))
  expect(await doneOf(ada, at, 'course')).toEqual(marks)
})

test('[D-402] so many marks, and so many courses, also at once', async () => {
  await using node = await takePanels()
  const ada = node.as('ada', BROWSER)
  const at = await makeWorkspaceOf(ada, 'ada')
  const marks = Array.from({ length: COURSE_LIMITS.marks }, (_, index) => `m${index}`)
  expect(await verdict(record(ada, at, 'a', { done: marks }))).toBe('200')
  expect(await verdict(record(ada, at, 'a', { done: ['one more'] }))).toBe('409 limit_reached')
  expect(await verdict(record(ada, at, 'a', { done: ['one more'], notDone: ['m0'] }))).toBe('200')
  expect(await doneOf(ada, at, 'a')).toHaveLength(COURSE_LIMITS.marks)
  const answers = await Promise.all(
    Array.from({ length: COURSE_LIMITS.courses + 5 }, (_, index) =>
      verdict(record(ada, at, `course-${index}`, { done: ['x'] })),
    ),
  )
  expect(answers.filter((answer) => answer === '200')).toHaveLength(COURSE_LIMITS.courses - 1)
  expect(answers.filter((answer) => answer === '409 limit_reached')).toHaveLength(6)
})

test('[D-403] a workspace that is made again has none', async () => {
  await using node = await takePanels()
  const ada = node.as('ada', BROWSER)
  const at = await makeWorkspaceOf(ada, 'ada')
  await record(ada, at, '', { done: ['x'] })
  expect(await verdict(ada.send('DELETE', at))).toBe('204')
  expect(await makeWorkspaceOf(ada, 'ada')).toBe(at)
  expect(await doneOf(ada, at, '')).toEqual([])
})
