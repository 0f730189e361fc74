import type { WebviewAction, WorkspaceRef } from '@patchbay/contracts/panels'
import type { Connection } from './connection.ts'
import { type PanelTarget, type Reason, reasonOf, targetOf } from './panel-target.ts'
import { WEBVIEW } from './routes.ts'

/** A web view. What is set is kept: a browser that opens the workspace later shows it as well. */
export interface Webview {
  navigate(url: string, why?: Reason): Promise<void>
  refresh(why?: Reason): Promise<void>
  setHeaderHidden(hidden: boolean, why?: Reason): Promise<void>
  setProxyEnabled(enabled: boolean, why?: Reason): Promise<void>
}

type Action = WebviewAction extends infer Each
  ? Each extends { action: string }
    ? Omit<Each, 'panelId' | 'tabId' | 'reason'>
    : never
  : never

export function openWebview(connection: Connection, params: WorkspaceRef, target: PanelTarget): Webview {
  const act = async (action: Action, why: Reason | undefined) => {
    const body: WebviewAction = { ...targetOf(target), ...action, ...reasonOf(why) }
    // To set something twice is to set it once; a page that is loaded twice may have been meant to.
    await connection.ask(WEBVIEW, { params, body }, { isRepeatable: action.action !== 'refresh' })
  }
  return {
    navigate: (url, why) => act({ action: 'navigate', url }, why),
    refresh: (why) => act({ action: 'refresh' }, why),
    setHeaderHidden: (hidden, why) => act({ action: 'setHeaderHidden', hidden }, why),
    setProxyEnabled: (enabled, why) => act({ action: 'setProxyEnabled', enabled }, why),
  }
}
