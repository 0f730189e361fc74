import { setTimeout as sleep } from 'node:timers/promises'
import type { ContentBlock } from '@modelcontextprotocol/server'
import type { Paste } from '@patchbay/contracts/viewer'
import { type Static, Type } from 'typebox'
import { NOT_INSTRUCTIONS, pictureContent } from '../picture-content.ts'
import type { ViewerPort } from '../viewer-port.ts'
import { withProgress } from './progress.ts'
import { type Answer, defineTool, type Work } from './tool.ts'

/** With the time for a name below a minute, after which many clients give up on a call. */
const USUAL_SECONDS = 45
const MOST_SECONDS = 300
const NAMING_MS = 10_000
/** One question to the viewer; a little less than it would wait by itself. */
const SLICE_MS = 25_000
/** A viewer that answers at once must not be asked without a pause. */
const PAUSE_MS = 100

const input = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'The cursor of av_screenshot_paste, or of the last answer of this tool. Without it only a paste counts that comes after this call.',
      }),
    ),
    timeout_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_SECONDS,
        default: USUAL_SECONDS,
        description: 'How long to wait.',
      }),
    ),
  },
  { additionalProperties: false },
)

const output = Type.Object({
  pasted: Type.Boolean({ description: 'Whether a picture came in time.' }),
  cursor: Type.String({ description: 'For `after` of the next call.' }),
  message: Type.String(),
  path: Type.Optional(
    Type.String({
      description: 'The optimized picture, from the root of the project: no side above 1568 px.',
    }),
  ),
  absolute_path: Type.Optional(Type.String({ description: 'The same file on this machine.' })),
  original_path: Type.Optional(Type.String({ description: 'The picture with all its pixels.' })),
  name: Type.Optional(Type.String({ description: 'The descriptive part of both names.' })),
  width: Type.Optional(Type.Integer({ description: 'Of the optimized picture, in pixels.' })),
  height: Type.Optional(Type.Integer()),
  bytes: Type.Optional(Type.Integer()),
})
type Facts = Static<typeof output>

export const waitForPaste = defineTool({
  name: 'av_wait_for_paste',
  title: 'Wait for a pasted screenshot',
  description:
    'Waits until the person has pasted a picture into the screenshot-paste widget, and answers with its paths in the project and the picture itself. When nothing came in time, call it again with the cursor of the answer. Several pictures are several answers: go on with the cursor of each.',
  input,
  output,
  nature: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})

export function awaitPaste(viewer: ViewerPort, now: () => number): Work<typeof input, typeof output> {
  return async ({ after, timeout_seconds: seconds = USUAL_SECONDS }, context) => {
    const { signal } = context.mcpReq
    const endsAt = now() + seconds * 1000
    const progress = { message: 'Waiting for the person to paste a picture', totalSeconds: seconds }
    return await withProgress(context, progress, now, async () => {
      // A cursor of its own: between two questions a paste would be missed otherwise.
      const cursor = after ?? (await viewer.status(signal)).cursor
      for (;;) {
        const waitMs = Math.max(0, Math.min(SLICE_MS, endsAt - now()))
        const next = await viewer.nextPaste({ after: cursor, waitMs, namingMs: NAMING_MS }, signal)
        if (next !== undefined) return await tell(viewer, next, signal)
        if (now() >= endsAt) return nothing(cursor, seconds)
        await sleep(PAUSE_MS, undefined, { signal })
      }
    })
  }
}

function nothing(cursor: string, seconds: number): Answer<Facts> {
  const message = `Nothing was pasted within ${seconds} s. Call av_wait_for_paste again with after: "${cursor}" to go on waiting, or ask the person whether the widget is open.`
  return { text: message, facts: { pasted: false, cursor, message } }
}

async function tell(
  viewer: ViewerPort,
  { paste, cursor }: { readonly paste: Paste; readonly cursor: string },
  signal: AbortSignal,
): Promise<Answer<Facts>> {
  const { optimized, original, name, state } = paste
  const picture = await readPicture(viewer, paste, signal)
  const message = [
    `The person pasted a picture: ${optimized.path} (${optimized.width} x ${optimized.height}, ${optimized.bytes} bytes). With all its pixels it is at ${original.path}.`,
    ...(state === 'naming'
      ? ['A better name is still being looked for, so both files may get another name soon.']
      : []),
    ...(picture === undefined
      ? ['The picture is too large for this answer, or was renamed just now: read the file.']
      : [NOT_INSTRUCTIONS]),
    `For the next picture call av_wait_for_paste with after: "${cursor}".`,
  ].join('\n')
  return {
    text: message,
    ...(picture === undefined ? {} : { more: [picture] }),
    facts: {
      pasted: true,
      cursor,
      message,
      path: optimized.path,
      absolute_path: optimized.absolute_path,
      original_path: original.path,
      name,
      width: optimized.width,
      height: optimized.height,
      bytes: optimized.bytes,
    },
  }
}

/** A picture that cannot be read is no reason to keep the paths back. */
async function readPicture(
  viewer: ViewerPort,
  { optimized }: Paste,
  signal: AbortSignal,
): Promise<ContentBlock | undefined> {
  try {
    return pictureContent(await viewer.readPaste(optimized.file, signal))
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}
