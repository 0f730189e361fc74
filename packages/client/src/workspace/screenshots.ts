import { Problem, UnexpectedResponse } from '@patchbay/contracts/core'
import type { Capture, ScreenshotRequest, WorkspaceRef } from '@patchbay/contracts/panels'
import { sleep } from '../http/pause.ts'
import type { Connection } from './connection.ts'
import { CAPTURE, PICTURE } from './routes.ts'

export interface ScreenshotOptions extends ScreenshotRequest {
  /** Milliseconds to go on asking while the person has not enabled sharing. Not at all unless given. */
  readonly waitForSharing?: number | undefined
}

export interface Picture {
  readonly png: Uint8Array<ArrayBuffer>
  readonly capture: Capture
}

const USUAL_TIMEOUT_MS = 10_000
/** A person needs that long to find the icon and to choose; the contract says "a few seconds". */
const ASK_AGAIN_MS = 3_000
/** Whoever has not shared after some of those may be away: asking as often would tell them nothing new. */
const LONGEST_PAUSE_MS = 15_000
const PAUSE_GROWTH = 1.5
const PNG = 'image/png'
const FACTS = 'patchbay-capture'
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47]

/** The facts alone; the picture is at their `url` for a day. */
export async function takeScreenshot(
  connection: Connection,
  params: WorkspaceRef,
  { waitForSharing = 0, ...body }: ScreenshotOptions,
): Promise<Capture> {
  return await untilShared(connection, waitForSharing, async () => {
    const answer = await connection.ask(CAPTURE, { params, body }, { waitMs: waitOf(body) })
    return answer.body
  })
}

/** The picture and its facts in one answer. */
export async function takePicture(
  connection: Connection,
  params: WorkspaceRef,
  { waitForSharing = 0, ...body }: ScreenshotOptions,
): Promise<Picture> {
  return await untilShared(connection, waitForSharing, async () => {
    const { bytes, headers } = await connection.fetchBytes(
      CAPTURE,
      { params, body },
      { waitMs: waitOf(body), accept: PNG },
    )
    return { png: requirePng(bytes, headers), capture: factsIn(headers) }
  })
}

/** A picture that was taken within the last day. */
export async function fetchPicture(
  connection: Connection,
  params: WorkspaceRef,
  id: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes, headers } = await connection.fetchBytes(
    PICTURE,
    { params: { ...params, id: `${id}.png` } },
    { isRepeatable: true, accept: PNG },
  )
  return requirePng(bytes, headers)
}

async function untilShared<T>(
  { surroundings: { now }, signal }: Connection,
  waitMs: number,
  attempt: () => Promise<T>,
): Promise<T> {
  const endsAt = now() + waitMs
  for (let pauseMs = ASK_AGAIN_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * PAUSE_GROWTH)) {
    try {
      return await attempt()
    } catch (error) {
      const isAsked = error instanceof Problem && error.code === 'sharing_not_enabled'
      const leftMs = endsAt - now()
      if (!isAsked || leftMs < ASK_AGAIN_MS) throw error
      await sleep(Math.min(pauseMs, leftMs), signal)
      signal?.throwIfAborted()
    }
  }
}

function waitOf({ timeoutMs = USUAL_TIMEOUT_MS }: ScreenshotRequest): number {
  return timeoutMs
}

function requirePng(bytes: Uint8Array<ArrayBuffer>, headers: Headers): Uint8Array<ArrayBuffer> {
  const isPng = SIGNATURE.every((byte, at) => bytes[at] === byte)
  if (headers.get('content-type')?.split(';')[0] === PNG && isPng) return bytes
  throw new UnexpectedResponse(200, 'it is no PNG')
}

function factsIn(headers: Headers): Capture {
  try {
    return JSON.parse(headers.get(FACTS) ?? '') as Capture
  } catch {
    throw new UnexpectedResponse(200, 'it does not say how the picture was taken')
  }
}
