import { expect, test } from 'vitest'
import { adviceFor } from '../../src/account/words.ts'
import { Refusal } from '../../src/command/refusal.ts'
import { parseWorkspace } from '../../src/workspace/open-workspaces.ts'
import { pickPanel, pickSplit, pickTab } from '../../src/workspace/pick-tab.ts'
import { requireReachable } from '../../src/workspace/reachable.ts'
import { exampleWorkspace, id, LEFT, RIGHT, SPLIT } from './current.ts'

const current = exampleWorkspace()

function refusalOf(work: () => unknown): Refusal {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error
  }
  throw new Error('it was not refused')
}

test.each([
  ['its id', id('2'), id('2')],
  ['the beginning of its id', '2222', id('2')],
  ['its title in any case', 'tRY IT', id('2')],
  ['its kind, where there is one of it', 'sandbox', id('2')],
  ['its panel, of which it is the tab in front', LEFT, id('1')],
  ['the beginning of its panel', 'bbbb-'.slice(0, 4), id('3')],
])('[CLI-102] a tab is named by %s', (_what, text, expected) => {
  expect(pickTab(current, text).tabId).toBe(expected)
})

test('[CLI-102] a title that several have is not guessed: they are listed with their ids', () => {
  const { code, message, exitCode, details } = refusalOf(() => pickTab(current, 'notes'))
  expect({ code, exitCode }).toEqual({ code: 'tab_ambiguous', exitCode: 1 })
  expect(message.split('\n')).toEqual([
    '"notes" may be any of 2 tabs of ada/board. Name it by its id:',
    `  Notes  code-editor  ${id('3')}`,
    `  notes  code-editor  ${id('4')}`,
  ])
  expect(details).toMatchObject({ tabs: [{ tabId: id('3') }, { tabId: id('4') }] })
})

test('[CLI-102] for one that is not there the nearest is suggested, and all are listed', () => {
  const { code, message } = refusalOf(() => pickTab(current, 'Dosc'))
  expect(code).toBe('tab_not_found')
  expect(message).toMatch(/^ada\/board has no tab "Dosc"\. Did you mean "Docs"\? There are:\n {2}Docs/)
  expect(message.split('\n')).toHaveLength(5)
  const empty = { ...current, tabs: [] }
  expect(refusalOf(() => pickTab(empty, 'x')).message).toContain('workspace add ada/board webview')
})

test('[CLI-102] a panel is named by its id or by a tab of it, a split by its id', () => {
  expect(pickPanel(current, RIGHT)).toBe(RIGHT)
  expect(pickPanel(current, 'aaaa')).toBe(LEFT)
  expect(pickPanel(current, 'Try it')).toBe(LEFT)
  expect(pickSplit(current, 'cccc')).toBe(SPLIT)
  expect(refusalOf(() => pickSplit(current, 'nope')).message).toContain(`There are:\n  ${SPLIT}`)
})

test('[CLI-107] a tab of another kind, or one that stands behind another, is told with what to do', () => {
  const asked = { name: 'ada/board', advise: adviceFor(undefined) }
  const behind = refusalOf(() => requireReachable(current, pickTab(current, 'sandbox'), ['sandbox'], asked))
  expect(behind.message).toBe(
    `Try it stands behind Docs, and only what is in front can be acted on.\nBring it there with "patchbay workspace activate ada/board ${id('2')}".`,
  )
  const other = refusalOf(() => requireReachable(current, pickTab(current, 'Docs'), ['sandbox'], asked))
  expect(other.message).toMatch(/^Docs is a panel of the kind webview, and this is for sandbox\./)
  expect(requireReachable(current, pickTab(current, 'Docs'), ['webview'], asked).tabId).toBe(id('1'))
})

test.each(['board', 'Ada/board', 'ada/', '/board', 'ada/..', 'ada/a b', 'ada/board/x', ''])(
  '[CLI-112] %j is no workspace',
  (text) => {
    expect(refusalOf(() => parseWorkspace(text))).toMatchObject({ exitCode: 2, code: 'bad_workspace' })
  },
)

test('[CLI-112] a workspace is its owner and repository', () => {
  expect(parseWorkspace('acme-labs/Board_2.0')).toEqual({ owner: 'acme-labs', repo: 'Board_2.0' })
})
