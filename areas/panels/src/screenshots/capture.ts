import {
  type Capture,
  Problem,
  type ScreenshotMethod,
  type ScreenshotScope,
  type WorkspaceRef,
} from '@patchbay/contracts'
import type { CommandOutcome } from '../control/ports.ts'

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

/** What a caller is told when there is no picture. `needsSharing`: it could not be taken as things stand. */
export function refusalFor(
  outcome: Exclude<CommandOutcome, { outcome: 'done' }>,
  { needsSharing }: { readonly needsSharing: boolean },
): Problem {
  if (outcome.outcome === 'failed') {
    if (outcome.code === 'sharing_not_enabled') return notShared()
    if (outcome.code === 'no_such_tab') return new Problem('panel_not_found')
    return new Problem('capture_failed', { detail: outcome.message })
  }
  if (outcome.outcome === 'no_browser') return new Problem('workspace_not_open')
  if (outcome.outcome === 'lost') return new Problem('capture_failed', { detail: 'The browser went away.' })
  return needsSharing ? notShared() : new Problem('deadline_exceeded')
}

function notShared(): Problem {
  return new Problem('sharing_not_enabled', {
    detail:
      'The person has been shown who asks and why. Ask them to choose Share there, or the monitor icon in the navigation bar, and call again in a few seconds.',
    extensions: { retry_after_seconds: ASK_AGAIN_SECONDS },
    headers: { 'retry-after': String(ASK_AGAIN_SECONDS) },
  })
}
