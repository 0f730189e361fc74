import type { Clock } from '../clock/index.ts'
import { paceOf, toMicroseconds, verdictOf } from './gcra.ts'
import type { RateLimit } from './ports.ts'
import type { RedisEngine } from './redis-engine.ts'
import { rateKey } from './redis-keys.ts'
import { unavailable } from './unavailable.ts'

/** Redis forgets a key this long after it has become meaningless, in case its time runs ahead of the clock's. */
const COLLECT_AFTER_MS = 10_000

export function redisRateLimit(engine: RedisEngine, clock: Clock): RateLimit {
  return {
    async hit(key, rule) {
      const pace = paceOf(rule)
      const now = toMicroseconds(clock.now())
      const answer = await engine.run('hit', rateKey(key), now, pace.interval, pace.burst, COLLECT_AFTER_MS)
      if (!Array.isArray(answer)) throw unavailable('Redis did not answer with a verdict')
      return verdictOf({ allowed: answer[0] === 1, fullAt: Number(answer[1]) }, now, pace)
    },
  }
}
