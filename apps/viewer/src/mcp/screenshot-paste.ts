import { Problem } from '@patchbay/contracts/core'
import { SCREENSHOT_PASTE_PATH } from '@patchbay/contracts/viewer'
import { displayText } from '@patchbay/primitives/text'
import { Type } from 'typebox'
import type { ViewerPort } from '../viewer-port.ts'
import { defineTool, type Work } from './tool.ts'
import { ToolRefusal } from './tool-refusal.ts'

const input = Type.Object(
  {
    title: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'What the picture is for, shown above the widget. For example: The error in the console',
      }),
    ),
  },
  { additionalProperties: false },
)

const output = Type.Object({
  opened: Type.Boolean({ description: 'Whether the widget is to be seen now.' }),
  url: Type.String({ description: 'Where the person can open the widget in a browser of this machine.' }),
  cursor: Type.String({ description: 'For `after` of av_wait_for_paste: the first paste from now on.' }),
  message: Type.String(),
})

export const screenshotPaste = defineTool({
  name: 'av_screenshot_paste',
  title: 'Ask for a screenshot',
  description:
    'Opens the screenshot-paste widget in the viewer page that the person looked at last, and answers at once. The person pastes, drops or picks a picture there; it is saved in the project below screenshots/sp. To get it, call av_wait_for_paste with the cursor of the answer. Where no viewer page is open, the answer says how one is opened.',
  input,
  output,
  nature: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})

export function openScreenshotPaste(viewer: ViewerPort): Work<typeof input, typeof output> {
  return async ({ title: given }, { mcpReq: { signal } }) => {
    const title = displayText(given, 200) || undefined
    // Before the page is asked: a paste that comes while it answers must not be missed by whoever waits afterwards.
    const { url: viewerUrl, cursor } = await viewer.status(signal)
    const url = widgetUrl(viewerUrl, title)
    try {
      const shown = await viewer.show('screenshot-paste', title, signal)
      const message = `The widget is open in the viewer page. The person pastes the picture there; call av_wait_for_paste with after: "${shown.cursor}" to get it.`
      return { text: message, facts: { opened: true, url, cursor: shown.cursor, message } }
    } catch (error) {
      const why = error instanceof Problem ? NOT_SHOWN[error.code] : undefined
      if (why === undefined) throw error
      const message = [
        `${why} Nothing was opened.`,
        `Ask the person to open ${url} in a browser on the machine that the viewer runs on; or, if they work in a Patchbay workspace, show the viewer in a web view panel of it: av_navigate with url: "viewer", and then call this tool again.`,
        `Once the widget is open the person can paste; av_wait_for_paste with after: "${cursor}" waits for it.`,
      ].join('\n')
      throw new ToolRefusal(message, { opened: false, url, cursor, message })
    }
  }
}

const NOT_SHOWN: Partial<Record<string, string>> = {
  viewer_not_open: 'No viewer page is open.',
  viewer_silent: 'A viewer page is open, but it did not show the widget in time: it may be asleep.',
}

function widgetUrl(viewerUrl: string, title: string | undefined): string {
  const url = new URL(SCREENSHOT_PASTE_PATH, viewerUrl)
  if (title !== undefined) url.searchParams.set('title', title)
  return url.href
}
