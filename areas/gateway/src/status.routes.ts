import { type DeliveryMode, getGatewayStatus } from '@patchbay/contracts/gateway'
import type { Directory } from '@patchbay/kernel/bus'
import { type HttpApp, on } from '@patchbay/kernel/http'

export interface StatusDeps {
  readonly directory: Directory
  readonly sockets: () => number
  readonly uptimeSeconds: () => number
  /** Whether registrations are shared with other nodes through an engine that can be away. */
  readonly busIsShared: boolean
  readonly delivery: DeliveryMode
  readonly publicUrl: string
  readonly node: string
  readonly version: string
}

export function registerStatus(app: HttpApp, deps: StatusDeps): void {
  const { delivery, node, version } = deps
  const callbackUrl = `${deps.publicUrl}/callback`
  app.route({
    ...on(getGatewayStatus),
    async handler(_request, reply) {
      const pendingHere = deps.directory.ownCount()
      const everywhere = await deps.directory.count().catch(() => undefined)
      const bus = deps.busIsShared ? (everywhere === undefined ? 'unreachable' : 'reachable') : 'in-process'
      return reply.header('cache-control', 'no-store').send({
        status: 'ok',
        pending: everywhere ?? pendingHere,
        pendingHere,
        sockets: deps.sockets(),
        uptimeSeconds: deps.uptimeSeconds(),
        bus,
        delivery,
        callbackUrl,
        node,
        version,
      })
    },
  })
}
