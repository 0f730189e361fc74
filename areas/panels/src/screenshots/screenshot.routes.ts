import { Problem } from '@patchbay/contracts/core'
import { SCREENSHOT_LIMITS } from '@patchbay/contracts/limits'
import {
  type Capture,
  getScreenshot,
  patchScreenshot,
  type ScreenshotRequest,
  type WorkspaceRef,
} from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { ObjectContent } from '@patchbay/kernel/objects'
import { requireNotEnded } from '../access/action.store.ts'
import { partyOf } from '../access/action.ts'
import { type Admitted, admit } from '../access/admission.store.ts'
import type { Control } from '../control.ts'
import type { PanelsDeps } from '../deps.ts'
import { newId } from '../new-id.ts'
import {
  CAPTURES_KEPT,
  completeCapture,
  findCapture,
  giveUpCapture,
  requestCapture,
} from './capture.store.ts'
import { asciiJson, presentCapture, refusalFor } from './capture.ts'
import { captureTargetOf, DEFAULT_METHOD, wantsPicture } from './request.ts'
import { registerUpload } from './upload.routes.ts'

/** Above the longest time that a caller may give a browser. */
const DEADLINE_MS = SCREENSHOT_LIMITS.maxTimeoutMs + 15_000
/** A picture may show anything: it belongs in no cache, and is shown as itself. */
const PICTURE_HEADERS = {
  'content-type': 'image/png',
  'cache-control': 'private, no-store',
  'content-disposition': 'inline',
}

export function registerScreenshots(app: HttpApp, deps: PanelsDeps, control: Control): void {
  const { db, clock, objects, settings } = deps

  const take = async (at: WorkspaceRef, { caller, workspace }: Admitted, request: ScreenshotRequest) => {
    const { scope, reason, method = DEFAULT_METHOD } = request
    const { timeoutMs = SCREENSHOT_LIMITS.defaultTimeoutMs } = request
    const target = captureTargetOf(workspace.layout, request)
    const [acting] = await control.browsers(at)
    if (acting?.mayAct !== true) throw new Problem('workspace_not_open')
    const id = newId(deps.createSecret)
    const { tabId } = target
    const action = { caller, tabId, action: `screenshot ${scope}`, reason }
    const requested = await requestCapture(
      db,
      at,
      { id, scope, method, timeoutMs, ...target },
      clock.now(),
      action,
    )
    if (requested === 'gone') throw new Problem('panel_not_found')
    if (requested === 'full')
      throw new Problem('limit_reached', {
        detail: `A workspace keeps ${CAPTURES_KEPT} pictures or 1 GiB of one day, an owner ten times as much.`,
      })
    control.notify(at)
    const why = reason === undefined ? {} : { reason }
    try {
      const outcome = await control.send(
        at,
        { kind: 'screenshot', captureId: id, scope, method, tabId, by: partyOf(caller), ...why },
        { deadlineMs: timeoutMs, canRepeat: true },
      )
      if (outcome.outcome !== 'done')
        throw refusalFor(outcome, {
          scope,
          needsSharing: method === DEFAULT_METHOD && !(await isSharing(at)),
        })
      await requireNotEnded(db, at, caller)
      const { picture } = outcome.result
      const taken =
        picture === undefined ? undefined : await completeCapture(db, at, id, picture, clock.now())
      if (taken === undefined)
        throw new Problem('capture_failed', { detail: 'The browser did not hand in the picture.' })
      return presentCapture(settings.publicUrl, at, taken)
    } catch (error) {
      // Without the database it ends by itself; why the picture was refused is what the caller must hear.
      await giveUpCapture(db, at, id, clock.now()).catch(() => undefined)
      throw error
    }
  }

  const isSharing = async (at: WorkspaceRef): Promise<boolean> => {
    const [acting] = await control.browsers(at)
    return acting?.isSharing === true
  }

  const open = async ({ sha256 }: Pick<Capture, 'sha256'>): Promise<ObjectContent> => {
    const found = await objects.get(sha256)
    // A row names it: "there is no such picture" would be taken for the truth.
    if (found === undefined) throw new Problem('objects_unavailable')
    return found
  }

  app.route({
    ...on(patchScreenshot, { deadlineMs: DEADLINE_MS }),
    async handler(request, reply) {
      const { params: at, body } = request
      const admitted = await admit(deps, request, at, { areas: ['screenshot'], access: 'write' })
      const taken = await take(at, admitted, body)
      if (!wantsPicture(request.headers.accept)) return reply.send(taken)
      const { stream, size } = await open(taken)
      reply.headers({ ...PICTURE_HEADERS, 'content-length': size, 'patchbay-capture': asciiJson(taken) })
      // The schema describes the JSON of this answer; a stream is sent as it is.
      return reply.send(stream as unknown as Capture)
    },
  })

  app.route({
    ...on(getScreenshot, { deadlineMs: 0 }),
    method: ['GET', 'HEAD'],
    async handler(request, reply) {
      const { id: file, ...at } = request.params
      const areas = ['screenshot', 'workspace'] as const
      const { workspace } = await admit(deps, request, at, { areas, access: 'read' })
      const taken = await findCapture(db, at, file.slice(0, -'.png'.length), clock.now())
      // The workspace of before had the same name, and perhaps other people.
      if (taken === undefined || taken.capturedAt < workspace.createdAt) throw new Problem('not_found')
      const { stream, size } = await open(taken)
      reply.headers({ ...PICTURE_HEADERS, 'content-length': size })
      if (request.method !== 'HEAD') return reply.send(stream)
      stream.destroy()
      return reply.send()
    },
  })

  registerUpload(app, deps)
}
