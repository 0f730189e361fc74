import type { CurrentWorkspace } from '@patchbay/client/workspaces'
import { displayText } from '@patchbay/primitives/text'
import { type Static, Type } from 'typebox'
import { defineTool, type Work } from '../tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'
import type { OpenedServer, OpenServer } from './opened-server.ts'
import { pickWorkspace, tabLine, urlIn, workspaceArgument } from './pick.ts'
import { inWords } from './workspace-words.ts'

/** More than people have; an installation that has more is looked at one workspace at a time. */
const MOST_WORKSPACES = 10
const MOST_TABS = 100

const input = Type.Object({ workspace: workspaceArgument }, { additionalProperties: false })

const panel = Type.Object({
  tabId: Type.String(),
  panelId: Type.String(),
  kind: Type.String(),
  title: Type.String(),
  isActive: Type.Boolean({ description: 'Whether it is the tab of its panel that is in front.' }),
  url: Type.Optional(Type.String({ description: 'What a web view shows.' })),
})

const output = Type.Object({
  workspaces: Type.Array(
    Type.Object({
      workspace: Type.String({ description: 'Owner and repository.' }),
      page: Type.String({ description: 'Where a person opens it.' }),
      browsers: Type.Integer({ description: 'How many have it open right now.' }),
      isSharing: Type.Boolean({ description: 'Whether av_screenshot works without asking the person.' }),
      panels: Type.Array(panel),
    }),
  ),
  notShown: Type.Integer({ description: 'Further workspaces or panels that were left out.' }),
})
type Facts = Static<typeof output>

export const listPanels = defineTool({
  name: 'av_list_panels',
  title: 'List workspaces and panels',
  description:
    'The panels of a Patchbay workspace with their ids, kinds and titles, and which ones are in front. Without a name: of all workspaces of the person, ten at the most.',
  input,
  output,
  nature: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})

export function tellPanels(open: OpenServer): Work<typeof input, typeof output> {
  return async ({ workspace: named }, { mcpReq: { signal } }) => {
    const opened = await open(signal)
    const { server } = opened
    return await inWords(
      { server, scope: 'workspace', ...(named === undefined ? {} : { name: named }) },
      async () => {
        const { found, others } = await readAll(opened, named)
        const shown = found.map((current) => factsOf(current, server))
        const left = found.reduce((sum, { tabs }) => sum + Math.max(0, tabs.length - MOST_TABS), others)
        const more = left === 0 ? [] : [`${left} more are not shown. Name a workspace to see one of them.`]
        return {
          text: [...found.map((current) => textOf(current)), ...more].join('\n\n'),
          facts: { workspaces: shown, notShown: left },
        }
      },
    )
  }
}

async function readAll(
  opened: OpenedServer,
  named: string | undefined,
): Promise<{ readonly found: readonly CurrentWorkspace[]; readonly others: number }> {
  if (named !== undefined)
    return { found: [await (await pickWorkspace(opened, named)).workspace.current()], others: 0 }
  const handle = await opened.findHandle()
  const all = await opened.workspaces.list(handle)
  if (all.length === 0)
    throw new ToolRefusal(
      `${handle} has no workspace on ${opened.server}. If one of somebody else is meant, name it as workspace: "owner/repository".`,
    )
  const first = all.slice(0, MOST_WORKSPACES)
  const found = await Promise.all(first.map((at) => opened.workspaces.workspace(at).current()))
  return { found, others: all.length - first.length }
}

function factsOf(current: CurrentWorkspace, server: string): Facts['workspaces'][number] {
  const { owner, repo, browsers, isSharing, tabs } = current
  return {
    workspace: `${owner}/${repo}`,
    page: `${server}/workspaces/${owner}/${repo}`,
    browsers,
    isSharing,
    panels: tabs.slice(0, MOST_TABS).map((tab) => {
      const url = urlIn(tab)
      const { tabId, panelId, kind, displayName, isActive } = tab
      return {
        tabId,
        panelId,
        kind,
        title: displayText(displayName, 80),
        isActive,
        ...(url === undefined ? {} : { url: displayText(url, 2_048) }),
      }
    }),
  }
}

function textOf({ owner, repo, browsers, isSharing, tabs }: CurrentWorkspace): string {
  const openness =
    browsers === 0
      ? 'open in no browser'
      : `open in ${browsers === 1 ? 'one browser' : `${browsers} browsers`}, ${isSharing ? 'sharing' : 'not sharing'}`
  const lines = tabs.length === 0 ? ['  no panels'] : tabs.slice(0, MOST_TABS).map(tabLine)
  return [`${owner}/${repo}, ${openness}:`, ...lines].join('\n')
}
