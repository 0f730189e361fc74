import type { CurrentTab, CurrentWorkspace } from '@patchbay/client/workspaces'

export const id = (digit: string) =>
  `${digit.repeat(8)}-${digit.repeat(4)}-4${digit.repeat(3)}-8${digit.repeat(3)}-${digit.repeat(12)}`

const tab = (
  digit: string,
  panelId: string,
  displayName: string,
  more: Partial<CurrentTab> = {},
): CurrentTab => ({
  tabId: id(digit),
  panelId,
  panelType: `patchbay/${id('f')}`,
  kind: 'webview',
  displayName,
  displayIcon: 'globe',
  isActive: true,
  state: {},
  ...more,
})

export const LEFT = id('a')
export const RIGHT = id('b')
export const SPLIT = id('c')

/** Two panels beside each other: the left one with two tabs, the right one with two that have the same name. */
export function exampleWorkspace(): CurrentWorkspace {
  const tabs = [
    tab('1', LEFT, 'Docs', { state: { url: 'https://example.com/docs', isHeaderHidden: true } }),
    tab('2', LEFT, 'Try it', { kind: 'sandbox', isActive: false, state: { connect: ['https://a.example'] } }),
    tab('3', RIGHT, 'Notes', { kind: 'code-editor', state: { fileName: 'notes.md', text: 'four' } }),
    tab('4', RIGHT, 'notes', { kind: 'code-editor', isActive: false }),
  ]
  const leaf = (panelId: string) => {
    const own = tabs.filter((each) => each.panelId === panelId)
    return {
      type: 'leaf' as const,
      id: panelId,
      tabs: own.map(({ tabId, panelType, displayName }) => ({
        id: tabId,
        panel: panelType,
        title: displayName,
      })),
      activeTabId: own.find(({ isActive }) => isActive)?.tabId ?? null,
    }
  }
  const root = {
    type: 'split' as const,
    id: SPLIT,
    direction: 'row' as const,
    sizes: [0.6, 0.4],
    children: [leaf(LEFT), leaf(RIGHT)],
  }
  return { owner: 'ada', repo: 'board', version: 7, layout: { root }, tabs, browsers: 1, isSharing: false }
}
