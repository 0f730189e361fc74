import { expect, test } from 'vitest'
import { layoutTree, stateInWords } from '../../src/workspace/show.ts'
import { exampleWorkspace, id, LEFT, RIGHT, SPLIT } from './current.ts'

test('[CLI-101] the layout is a tree with shares, ids, titles, kinds and what each tab shows', () => {
  expect(layoutTree(exampleWorkspace())).toEqual([
    `split ${SPLIT}  side by side`,
    `├─ 60 %  panel ${LEFT}`,
    '│    ▸ Docs (webview)  https://example.com/docs, header hidden',
    `│      tab ${id('1')}`,
    '│      Try it (sandbox)  may reach https://a.example',
    `│      tab ${id('2')}`,
    `└─ 40 %  panel ${RIGHT}`,
    '     ▸ Notes (code-editor)  notes.md, 4 characters',
    `       tab ${id('3')}`,
    '       notes (code-editor)',
    `       tab ${id('4')}`,
  ])
})

test('[CLI-101] a workspace without tabs is said to be empty', () => {
  const root = { type: 'leaf' as const, id: LEFT, tabs: [], activeTabId: null }
  expect(layoutTree({ layout: { root }, tabs: [] })).toEqual([`panel ${LEFT}  (empty)`])
})

test('[CLI-101] what a panel shows moves no cursor and fills no screen', () => {
  expect(stateInWords({ state: { url: 'https://a\u001B[2Jb' } })).toBe('https://a[2Jb')
  expect(stateInWords({ state: { url: `https://${'x'.repeat(500)}` } })).toHaveLength(100)
  expect(stateInWords({ state: { filter: 'agents', code: 'x', isProxyEnabled: true, other: 1 } })).toBe(
    '1 character of code, only agents, through the proxy',
  )
})
