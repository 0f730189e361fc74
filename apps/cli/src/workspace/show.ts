import type { CurrentTab, CurrentWorkspace, LayoutNode, MakeOptions } from '@patchbay/client/workspaces'
import { stripHidden, truncate } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { timeInWords } from '../account/words.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { openRegistry } from '../registry/registry.ts'
import { counted, tableOf } from '../terminal/table.ts'
import { type ServerWord, withWorkspace, withWorkspaces } from './open-workspaces.ts'

const LONGEST = 100

/** What a panel shows, in one line. */
export function stateInWords({ state }: Pick<CurrentTab, 'state'>): string {
  const { url, fileName, text, code, filter, connect, isHeaderHidden, isProxyEnabled } = state
  return [
    wordsOf(url),
    wordsOf(fileName),
    typeof text === 'string' ? counted(text.length, 'character') : '',
    typeof code === 'string' ? `${counted(code.length, 'character')} of code` : '',
    typeof filter === 'string' ? `only ${wordsOf(filter)}` : '',
    Array.isArray(connect) && connect.length > 0 ? `may reach ${connect.map(wordsOf).join(' ')}` : '',
    isHeaderHidden === true ? 'header hidden' : '',
    isProxyEnabled === true ? 'through the proxy' : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? truncate(stripHidden(value), LONGEST) : ''
}

/** `patchbay workspace list`. */
export async function listWorkspaces(
  task: Task,
  owner: string | undefined,
  words: ServerWord,
): Promise<Outcome> {
  return await withWorkspaces(task, words, async ({ workspaces, advise }) => {
    const whose = owner ?? (await (await openRegistry(task, words.server)).findHandle())
    const found = await workspaces.list(whose)
    const rows = found.map(({ owner: each, repo, tabs, changedAt }) => [
      `${each}/${repo}`,
      counted(tabs, 'tab'),
      `changed ${timeInWords(changedAt)}`,
    ])
    const none = `${whose} has no workspaces.\nMake one with ${advise(`workspace make ${whose}/board`)}.`
    return { json: { owner: whose, workspaces: found }, text: found.length === 0 ? none : tableOf(rows) }
  })
}

/** `patchbay workspace show`. */
export async function showWorkspace(task: Task, text: string, words: ServerWord): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'workspace', async ({ workspace, name }) => {
    const current = await workspace.current()
    const { version, browsers, isSharing } = current
    const openness =
      browsers === 0
        ? 'open nowhere'
        : `open in ${counted(browsers, 'browser')}, ${isSharing ? 'sharing' : 'not sharing'}`
    return {
      json: current,
      text: [`${name}  version ${version}, ${openness}`, ...layoutTree(current)].join('\n'),
    }
  })
}

/** `patchbay workspace make`. */
export async function makeWorkspace(
  task: Task,
  text: string,
  words: ServerWord & MakeOptions,
): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'workspace', async ({ workspace, name, advise, server }) => {
    const made = await workspace.make(words)
    const first = made.isNew ? `Made ${name}.` : `${name} is there already, and stays as it is.`
    return {
      json: made,
      text: [
        first,
        tableOf(
          [
            ['page', `${server}/workspaces/${name}`],
            ['next', advise(`workspace add ${name} webview --url https://example.com`).slice(1, -1)],
          ],
          '  ',
        ),
      ].join('\n'),
    }
  })
}

/** `patchbay workspace remove`. */
export async function removeWorkspace(
  task: Task,
  text: string,
  words: ServerWord & { readonly yes?: boolean },
): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'workspace', async ({ workspace, name, advise }) => {
    if (words.yes !== true) {
      const { tabs } = await workspace.current()
      // A slip of the finger would take away what people have open.
      if (tabs.length > 0)
        throw new Refusal(
          EXIT.failed,
          'not_empty',
          `${name} holds ${counted(tabs.length, 'tab')}, and would close for everybody. Nothing was removed.\nTo remove it all the same, add --yes.`,
          { tabs: tabs.length },
        )
    }
    await workspace.remove()
    return {
      json: { removed: true },
      text: `Moved ${name} to the trash.\nRestore it within 30 days with ${advise(`workspace restore ${name}`)}.`,
    }
  })
}

/** The layout as a tree: splits with the share of each part, panels, and their tabs; `▸` marks the one that shows. */
export function layoutTree({ layout, tabs }: Pick<CurrentWorkspace, 'layout' | 'tabs'>): string[] {
  return linesOf(layout.root, new Map(tabs.map((tab) => [tab.tabId, tab])))
}

type Tabs = ReadonlyMap<string, CurrentTab>

function linesOf(node: LayoutNode, tabs: Tabs, share = ''): string[] {
  if (node.type === 'leaf')
    return [
      `${share}panel ${node.id}${node.tabs.length === 0 ? '  (empty)' : ''}`,
      ...node.tabs.flatMap(({ id, title }) => {
        const tab = tabs.get(id)
        return tab === undefined ? [`    ${stripHidden(title)}`, `    tab ${id}`] : tabLines(tab)
      }),
    ]
  const lines = [
    `${share}split ${node.id}  ${node.direction === 'row' ? 'side by side' : 'one below the other'}`,
  ]
  for (const [at, child] of node.children.entries()) {
    const isLast = at === node.children.length - 1
    const percent = `${Math.round((node.sizes[at] ?? 0) * 100)} %`
    const [first = '', ...rest] = linesOf(child, tabs, `${percent.padStart(4)}  `)
    lines.push(`${isLast ? '└─' : '├─'} ${first}`, ...rest.map((line) => `${isLast ? '   ' : '│  '}${line}`))
  }
  return lines
}

function tabLines(tab: CurrentTab): string[] {
  const shows = stateInWords(tab)
  return [
    `  ${tab.isActive ? '▸' : ' '} ${stripHidden(tab.displayName)} (${tab.kind})${shows === '' ? '' : `  ${shows}`}`,
    `    tab ${tab.tabId}`,
  ]
}
