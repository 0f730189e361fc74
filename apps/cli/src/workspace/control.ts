import type { CurrentTab, Webview } from '@patchbay/client/workspaces'
import { stripHidden } from '@patchbay/primitives/text'
import type { Outcome, Task } from '../command/run-task.ts'
import { type AskedWorkspace, type ServerWord, withWorkspace } from './open-workspaces.ts'
import { pickTab } from './pick-tab.ts'
import type { WorkspaceScope } from './problem-words.ts'
import { requireReachable } from './reachable.ts'
import { requireWebAddress } from './web-address.ts'

export interface ControlWords extends ServerWord {
  readonly reason?: string
}

/** Finds the tab, acts on it, and says so; and that nobody looks, where nobody does. */
async function control(
  task: Task,
  text: string,
  tabText: string,
  words: ControlWords,
  kinds: readonly WorkspaceScope[],
  act: (tab: CurrentTab, asked: AskedWorkspace) => Promise<string>,
): Promise<Outcome> {
  return await withWorkspace(task, text, words, kinds[0] ?? 'webview', async (asked) => {
    const current = await asked.workspace.current()
    const tab = requireReachable(current, pickTab(current, tabText), kinds, asked)
    const said = await act(tab, asked)
    const { tabId, panelId } = tab
    const unseen =
      current.browsers === 0
        ? '\nNobody has the workspace open right now: it is there for whoever opens it.'
        : ''
    return { json: { tabId, panelId, browsers: current.browsers }, text: `${said}${unseen}` }
  })
}

type Act = (webview: Webview, tab: string) => Promise<string>

const onWebview = (task: Task, text: string, tab: string, words: ControlWords, act: Act) =>
  control(task, text, tab, words, ['webview'], (found, { workspace }) =>
    act(workspace.webview(found), stripHidden(found.displayName)),
  )

/** `patchbay panel navigate`. */
export function navigate(task: Task, text: string, tab: string, url: string, words: ControlWords) {
  requireWebAddress(url)
  return onWebview(task, text, tab, words, async (webview, title) => {
    await webview.navigate(url, words)
    return `${title} shows ${stripHidden(url)} now.`
  })
}

/** `patchbay panel refresh`. */
export function refresh(task: Task, text: string, tab: string, words: ControlWords) {
  return onWebview(task, text, tab, words, async (webview, title) => {
    await webview.refresh(words)
    return `${title} loads its page again.`
  })
}

/** `patchbay panel proxy`. */
export function setProxy(task: Task, text: string, tab: string, isOn: boolean, words: ControlWords) {
  return onWebview(task, text, tab, words, async (webview, title) => {
    await webview.setProxyEnabled(isOn, words)
    return isOn ? `${title} loads pages through the proxy now.` : `${title} loads pages directly now.`
  })
}

/** `patchbay panel header`, of web views and sandboxes. */
export function setHeader(task: Task, text: string, tab: string, isShown: boolean, words: ControlWords) {
  return control(task, text, tab, words, ['webview', 'sandbox'], async (found, { workspace }) => {
    const panel = found.kind === 'sandbox' ? workspace.sandbox(found) : workspace.webview(found)
    await panel.setHeaderHidden(!isShown, words)
    return `The header of ${stripHidden(found.displayName)} is ${isShown ? 'shown' : 'hidden'} now.`
  })
}

/** `patchbay panel reset`. */
export function resetSandbox(task: Task, text: string, tab: string, words: ControlWords) {
  return control(task, text, tab, words, ['sandbox'], async (found, { workspace }) => {
    await workspace.sandbox(found).reset(words)
    return `${stripHidden(found.displayName)} begins anew.`
  })
}
