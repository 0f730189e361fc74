import { Problem } from '@patchbay/contracts/core'
import { SCREENSHOT_LIMITS } from '@patchbay/contracts/limits'
import { putCapture } from '@patchbay/contracts/panels'
import { type HttpApp, on, uploadOf } from '@patchbay/kernel/http'
import { isAllowed } from '../access/rights.store.ts'
import type { PanelsDeps } from '../deps.ts'
import { isAwaited, notePicture } from './capture.store.ts'
import { MARK_BYTES, markedPng, type PictureSize } from './png.ts'

/** For a large picture over a slow line. */
const DEADLINE_MS = SCREENSHOT_LIMITS.maxTimeoutMs + 15_000

/** The way of a picture from the page that was asked to take it. */
export function registerUpload(app: HttpApp, deps: PanelsDeps): void {
  const { db, clock, objects, access } = deps
  app.route({
    ...on(putCapture, { bodyLimit: SCREENSHOT_LIMITS.bytes, deadlineMs: DEADLINE_MS }),
    async handler(request, reply) {
      const { id, ...at } = request.params
      const who = await access.requirePersonsChange(request)
      if (!(await isAllowed(deps, who, 'workspace', at, 'write'))) throw new Problem('not_permitted')
      // Before the first byte: what nobody has asked for must not reach the disk.
      if (!(await isAwaited(db, at, id, clock.now()))) throw new Problem('not_found')
      let size: PictureSize = { width: 0, height: 0 }
      const content = markedPng(uploadOf(request), id, (found) => {
        size = found
      })
      const { sha256, size: bytes } = await objects.put(content, {
        maxBytes: SCREENSHOT_LIMITS.bytes + MARK_BYTES,
      })
      const noted = await notePicture(db, at, id, { sha256, bytes, ...size }, clock.now())
      if (noted.unnamed !== null) await objects.delete(noted.unnamed)
      if (!noted.isNoted) throw new Problem('not_found')
      return reply.code(204).send()
    },
  })
}
