import type { CurrentTab, Workspace } from '@patchbay/client/workspaces'
import { displayText } from '@patchbay/primitives/text'
import { Type } from 'typebox'
import type { ViewerPort } from '../../viewer-port.ts'
import { defineTool, type Work } from '../tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'
import type { OpenServer } from './opened-server.ts'
import {
  panelIdArgument,
  pickTab,
  pickWorkspace,
  reasonArgument,
  tabIdArgument,
  workspaceArgument,
} from './pick.ts'
import { inWords } from './workspace-words.ts'

/** Stands for the address of the viewer page, which a model need not know. */
const VIEWER = 'viewer'
const WEB_ADDRESS = /^https?:\/\/[^\s\p{Cc}]{1,2040}$/u

const input = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2_048,
      description: 'An address that begins with https:// or http://, or the word viewer for the viewer page.',
    }),
    workspace: workspaceArgument,
    panelId: panelIdArgument,
    tabId: tabIdArgument,
    addPanel: Type.Optional(
      Type.Boolean({ default: false, description: 'Add a web view panel when the workspace has none.' }),
    ),
    reason: reasonArgument,
  },
  { additionalProperties: false },
)

const output = Type.Object({
  workspace: Type.String(),
  tabId: Type.String(),
  panelId: Type.String(),
  url: Type.String(),
  browsers: Type.Integer({ description: 'How many have the workspace open, and so show it now.' }),
  wasAdded: Type.Boolean({ description: 'Whether the panel is new.' }),
})

export const navigate = defineTool({
  name: 'av_navigate',
  title: 'Show a page in a web view panel',
  description:
    'Shows a page in a web view panel of a Patchbay workspace. Without an id: in its only web view. With url "viewer" the panel becomes the viewer page, in which av_screenshot_paste opens its widget. A tab that stands behind another is brought to the front.',
  input,
  output,
  nature: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
})

export function navigateIn(open: OpenServer, viewer: ViewerPort): Work<typeof input, typeof output> {
  return async ({ url: given, workspace: named, panelId, tabId, addPanel = false, reason: why }, context) => {
    const { signal } = context.mcpReq
    const url = given === VIEWER ? (await viewer.status(signal)).url : requireAddress(given)
    const opened = await open(signal)
    const asked = { server: opened.server, scope: 'webview' } as const
    const { workspace, name } = await inWords(asked, () => pickWorkspace(opened, named))
    return await inWords({ ...asked, name }, async () => {
      const current = await workspace.current()
      const tab = pickTab(current, { panelId, tabId }, 'webview')
      const reason = displayText(why, 200) || undefined
      const shown =
        tab === undefined
          ? await addWebView(workspace, url, addPanel, reason, name)
          : await show(workspace, tab, url, reason)
      const { browsers } = current
      const unseen =
        browsers === 0
          ? ` Nobody has the workspace open right now: ask the person to open ${opened.server}/workspaces/${name}.`
          : ''
      return {
        text: `${name} shows ${displayText(url, 2_048)} in ${tab === undefined ? 'a new web view panel' : `"${displayText(tab.displayName, 80)}"`} now.${unseen}`,
        facts: { workspace: name, ...shown, url, browsers, wasAdded: tab === undefined },
      }
    })
  }
}

async function show(
  workspace: Workspace,
  { tabId, panelId, isActive }: CurrentTab,
  url: string,
  reason: string | undefined,
): Promise<{ readonly tabId: string; readonly panelId: string }> {
  if (!isActive) await workspace.activateTab(tabId, { reason })
  await workspace.webview({ panelId, tabId }).navigate(url, { reason })
  return { tabId, panelId }
}

async function addWebView(
  workspace: Workspace,
  url: string,
  mayAdd: boolean,
  reason: string | undefined,
  name: string,
): Promise<{ readonly tabId: string; readonly panelId: string }> {
  if (!mayAdd)
    throw new ToolRefusal(`${name} has no web view panel. Call this again with addPanel: true to add one.`)
  const { tabId, panelId } = await workspace.addTab('webview', { initialState: { url }, reason })
  return { tabId, panelId }
}

function requireAddress(url: string): string {
  if (WEB_ADDRESS.test(url)) return url
  throw new ToolRefusal(
    `A web view shows addresses that begin with https:// or http://, or the viewer with the word "${VIEWER}", not "${displayText(url, 100)}".`,
  )
}
