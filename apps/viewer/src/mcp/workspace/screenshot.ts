import type { ScreenshotOptions } from '@patchbay/client/workspaces'
import { SCREENSHOT_LIMITS } from '@patchbay/contracts/limits'
import { displayText } from '@patchbay/primitives/text'
import { Type } from 'typebox'
import { NOT_INSTRUCTIONS, pictureContent } from '../../picture-content.ts'
import { withProgress } from '../progress.ts'
import { defineTool, type Work } from '../tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'
import type { OpenServer } from './opened-server.ts'
import {
  type Picked,
  panelIdArgument,
  pickTab,
  pickWorkspace,
  reasonArgument,
  tabIdArgument,
  workspaceArgument,
} from './pick.ts'
import { inWords } from './workspace-words.ts'

const MOST_TIMEOUT_SECONDS = SCREENSHOT_LIMITS.maxTimeoutMs / 1000
const USUAL_TIMEOUT_SECONDS = SCREENSHOT_LIMITS.defaultTimeoutMs / 1000
const MOST_SHARING_SECONDS = 120

const input = Type.Object(
  {
    scope: Type.Optional(
      Type.Enum(['panel', 'workspace', 'screen'], {
        description: 'What to take. A panel where panelId or tabId is given, else the workspace.',
      }),
    ),
    workspace: workspaceArgument,
    panelId: panelIdArgument,
    tabId: tabIdArgument,
    timeoutSeconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MOST_TIMEOUT_SECONDS, default: USUAL_TIMEOUT_SECONDS }),
    ),
    waitForSharingSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MOST_SHARING_SECONDS,
        default: 0,
        description: 'How long to go on asking while the person has not started sharing.',
      }),
    ),
    reason: reasonArgument,
  },
  { additionalProperties: false },
)

const output = Type.Object({
  workspace: Type.String(),
  scope: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  bytes: Type.Integer(),
  capturedAt: Type.String(),
  url: Type.String({ description: 'Where the PNG is for a day, for those who may see the workspace.' }),
})

export const screenshot = defineTool({
  name: 'av_screenshot',
  title: 'Take a picture of a workspace',
  description:
    'A picture of a panel, of the workspace or of the screen, as the person sees it in their browser right now. The person must have started sharing there; if not, they are asked, and this tool says so.',
  input,
  output,
  nature: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
})

type Given = Parameters<Work<typeof input, typeof output>>[0]

export function takeScreenshot(open: OpenServer, now: () => number): Work<typeof input, typeof output> {
  return async (given, context) => {
    const { timeoutSeconds = USUAL_TIMEOUT_SECONDS, waitForSharingSeconds = 0 } = given
    const opened = await open(context.mcpReq.signal)
    const asked = { server: opened.server, scope: 'screenshot' } as const
    const picked = await inWords(asked, () => pickWorkspace(opened, given.workspace))
    const { workspace, name } = picked
    const progress = { message: 'Taking the picture', totalSeconds: timeoutSeconds + waitForSharingSeconds }
    return await withProgress(context, progress, now, () =>
      inWords({ ...asked, name }, async () => {
        const reason = displayText(given.reason, 200) || undefined
        const { png, capture } = await workspace.screenshotPng({
          ...(await scopeOf(given, picked)),
          timeoutMs: timeoutSeconds * 1000,
          waitForSharing: waitForSharingSeconds * 1000,
          ...(reason === undefined ? {} : { reason }),
        })
        const { scope, width, height, bytes, capturedAt } = capture
        const url = new URL(capture.url, opened.server).href
        const picture = pictureContent(png)
        const told =
          picture === undefined
            ? `It is too large for this answer (${bytes} bytes). Take a single panel instead, or let the person open ${url}.`
            : NOT_INSTRUCTIONS
        return {
          text: `A picture of the ${scope} of ${name}, ${width} x ${height}.\n${told}`,
          ...(picture === undefined ? {} : { more: [picture] }),
          facts: { workspace: name, scope, width, height, bytes, capturedAt, url },
        }
      }),
    )
  }
}

async function scopeOf(
  { scope, panelId, tabId }: Given,
  { workspace }: Picked,
): Promise<Pick<ScreenshotOptions, 'scope' | 'panelId' | 'tabId'>> {
  const isNamed = panelId !== undefined || tabId !== undefined
  if (isNamed && scope !== undefined && scope !== 'panel')
    throw new ToolRefusal(`panelId and tabId go with the scope panel, not with ${scope}.`)
  if (!isNamed && scope === 'panel')
    throw new ToolRefusal('Which panel? Give panelId or tabId; av_list_panels shows them.')
  if (!isNamed) return { scope: scope ?? 'workspace' }
  const tab = pickTab(await workspace.current(), { panelId, tabId }, undefined)
  if (tab === undefined)
    throw new ToolRefusal('There is no panel with this id. av_list_panels lists the panels.')
  return { scope: 'panel', panelId: tab.panelId, tabId: tab.tabId }
}
