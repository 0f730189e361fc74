import { bundleForBrowser } from '@patchbay/testkit/browser-bundle'
import { expect, test } from 'vitest'
import { PROBLEMS, Problem } from '../src/core/index.ts'
import { PROBLEM_ADVICE, problemsByStatus, STATUS_NAMES } from '../src/core/problem-advice.ts'
import { problemReference } from '../src/core/problem-reference.ts'

test('[CT-16] every code has a cause and a fix in whole sentences, and nothing else has', () => {
  expect(Object.keys(PROBLEM_ADVICE).toSorted()).toEqual(Object.keys(PROBLEMS).toSorted())
  for (const [code, { cause, fix }] of Object.entries(PROBLEM_ADVICE))
    for (const text of [cause, fix]) {
      expect({ code, text }).toEqual({ code, text: expect.stringMatching(/^[A-Z`].*[.]$/) })
      // Otherwise the rest of the text would become code.
      expect({ code, ticks: text.split('`').length % 2 }).toEqual({ code, ticks: 1 })
    }
})

test('[CT-16] every code is listed once, below a status that has a name', () => {
  const listed = problemsByStatus()
  expect(listed.flatMap(({ codes }) => codes).toSorted()).toEqual(Object.keys(PROBLEMS).toSorted())
  expect(listed.map(({ status }) => String(status))).toEqual(Object.keys(STATUS_NAMES))
})

test('[CT-16] the committed reference is written from them (`pnpm vitest run packages/contracts/test/problem-advice.test.ts -u`)', async () => {
  await expect(problemReference()).toMatchFileSnapshot('../../../docs/reference/problems.md')
})

test('[CT-16] no client carries them', async () => {
  const { cause } = PROBLEM_ADVICE.rate_limited
  const bundle = (path: string) => bundleForBrowser(new URL(path, import.meta.url))
  expect((await bundle('../src/core/index.ts')).code).not.toContain(cause)
  expect((await bundle('../src/core/problem-advice.ts')).code).toContain(cause)
})

test.each([
  ['https://patchbay.example.com/api/workspaces/editor/ada/board', 'https://patchbay.example.com'],
  ['http://127.0.0.1:8796/stop?x=1', 'http://127.0.0.1:8796'],
])('[CT-17] the type in an answer of %s leads to its page on %s', (asked, origin) => {
  const { type } = new Problem('not_found').toJSON()
  expect(new URL(type, asked).href).toBe(`${origin}/problems/not_found`)
})
