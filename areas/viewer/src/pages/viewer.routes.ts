import { getViewerStatus, postShowWidget, type ViewerStatus } from '@patchbay/contracts/viewer'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { ViewerPages } from './pages.socket.ts'

export interface ViewerRoutesDeps {
  readonly pages: ViewerPages
  readonly status: () => ViewerStatus
  /** Where waiting for the next paste begins. */
  readonly cursor: () => string
}

/** A page that must be waited for may have to come back first. */
const SHOW_DEADLINE_MS = 15_000

export function registerViewer(app: HttpApp, { pages, status, cursor }: ViewerRoutesDeps): void {
  app.route({
    ...on(getViewerStatus),
    handler: async (_request, reply) => reply.header('cache-control', 'no-store').send(status()),
  })

  app.route({
    ...on(postShowWidget, { deadlineMs: SHOW_DEADLINE_MS }),
    async handler(request, reply) {
      const { widget, title } = request.body
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      // Before the widget is there: what is pasted at once must not be missed.
      const begin = cursor()
      await pages.show(widget, title, gone.signal)
      return reply.send({ widget, cursor: begin })
    },
  })
}
