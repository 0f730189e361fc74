import { LIMITS } from '@patchbay/contracts/limits'
import type { Bus, Directory } from '@patchbay/kernel/bus'

/** Who holds which state, over all nodes. */
export function openGatewayDirectory(bus: Bus): Directory {
  return bus.directory('gateway', {
    ttlMs: LIMITS.gatewayRegistrationLifetimeMs,
    tombstoneMs: LIMITS.gatewayTombstoneMs,
  })
}
