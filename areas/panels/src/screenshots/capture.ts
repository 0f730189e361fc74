import { Problem, type ProblemOptions } from '@patchbay/contracts/core'
import type { Capture, ScreenshotMethod, ScreenshotScope, WorkspaceRef } from '@patchbay/contracts/panels'
import type { CommandOutcome } from '../control.ts'

/** A picture that is there. */
export interface TakenCapture {
  readonly id: string
  readonly scope: ScreenshotScope
  readonly method: ScreenshotMethod
  readonly engine: string
  readonly width: number
  readonly height: number
  readonly scale: number
  readonly panelId: string | null
  readonly tabId: string | null
  readonly wasActivated: boolean
  readonly capturedAt: Date
  readonly expiresAt: Date
  readonly bytes: number
  readonly sha256: string
}

export function presentCapture(
  publicUrl: string,
  { owner, repo }: WorkspaceRef,
  taken: TakenCapture,
): Capture {
  const { id, capturedAt, expiresAt, ...facts } = taken
  return {
    id,
    url: `${publicUrl}/api/workspaces/editor/${owner}/${repo}/screenshots/${id}.png`,
    ...facts,
    capturedAt: capturedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
}

/** For a header, which may hold nothing but ASCII. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^\u0020-\u007e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const ASK_AGAIN_SECONDS = 3
/** For a page that does not say. */
const DECLINED_SECONDS = 60

interface Circumstances {
  readonly scope: ScreenshotScope
  /** It could not be taken as things stand. */
  readonly needsSharing: boolean
}

/** What a caller is told when there is no picture. */
export function refusalFor(
  outcome: Exclude<CommandOutcome, { outcome: 'done' }>,
  { scope, needsSharing }: Circumstances,
): Problem {
  if (outcome.outcome === 'failed') {
    if (outcome.code === 'sharing_not_enabled') return notShared(scope)
    if (outcome.code === 'sharing_declined') return declined(scope, outcome.retryAfterSeconds)
    if (outcome.code === 'no_such_tab') return new Problem('panel_not_found')
    return new Problem('capture_failed', { detail: outcome.message })
  }
  if (outcome.outcome === 'no_browser') return new Problem('workspace_not_open')
  if (outcome.outcome === 'lost') return new Problem('capture_failed', { detail: 'The browser went away.' })
  return needsSharing ? notShared(scope) : new Problem('deadline_exceeded')
}

function notShared(scope: ScreenshotScope): Problem {
  return new Problem('sharing_not_enabled', {
    detail: `The user has been shown who is asking and why. Ask them to choose Share there, or ${entryFor(scope)}, and call again in a few seconds.`,
    ...askAgainIn(ASK_AGAIN_SECONDS),
  })
}

function declined(scope: ScreenshotScope, seconds = DECLINED_SECONDS): Problem {
  return new Problem('sharing_declined', {
    detail: `The user answered "Not now". They are not asked again for ${seconds} seconds; they can share at any time with ${entryFor(scope)}.`,
    ...askAgainIn(seconds),
  })
}

function entryFor(scope: ScreenshotScope): string {
  const entry = scope === 'screen' ? 'Share the whole screen' : 'Share this page'
  return `"${entry}" under the monitor icon in the workspace's bar`
}

function askAgainIn(seconds: number): Pick<ProblemOptions, 'extensions' | 'headers'> {
  return { extensions: { retry_after_seconds: seconds }, headers: { 'retry-after': String(seconds) } }
}
