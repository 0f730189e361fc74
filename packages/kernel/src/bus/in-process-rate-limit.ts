import { decide, paceOf, toMicroseconds, verdictOf } from './gcra.ts'
import type { HubState, NodeState } from './in-process-state.ts'
import type { RateLimit } from './ports.ts'

export function inProcessRateLimit(hub: HubState, node: NodeState): RateLimit {
  return {
    async hit(key, rule) {
      node.requireAlive()
      const pace = paceOf(rule)
      const now = toMicroseconds(hub.clock.now())
      const decision = decide(hub.rates.get(key, now), now, pace)
      if (decision.allowed) hub.rates.set(key, decision.fullAt, decision.fullAt, now)
      return verdictOf(decision, now, pace)
    },
  }
}
