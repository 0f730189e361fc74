import type { DevicesDeps } from './deps.ts'

/** Of the nodes that share a broker, the one that keeps what devices say: their latest values, descriptions and status. */
export interface Keeper {
  /** As of the last look. */
  readonly isUs: boolean
  look(): Promise<void>
  /** Answers whether another node takes over. */
  leave(): Promise<boolean>
}

const ROOM = 'device-keepers'

/**
 * The node that has been there longest, so that one that starts takes over from nobody. Two that believe it for a moment write the
 * same twice; a node that is gone is known within two seconds.
 */
export function createKeeper({
  bus,
  broker,
  clock,
  log,
}: Pick<DevicesDeps, 'bus' | 'broker' | 'clock' | 'log'>): Keeper {
  if (!broker.isShared)
    return { isUs: true, look: () => Promise.resolve(), leave: () => Promise.resolve(false) }
  // Members are listed in the order of their ids.
  const id = clock.now().toISOString()
  let isUs = false
  let isLeaving = false

  return {
    get isUs() {
      return isUs
    },
    async look() {
      if (isLeaving) return
      try {
        let members = await bus.presence.members(ROOM)
        if (!members.some(({ node }) => node === bus.node)) {
          await bus.presence.join(ROOM, id, '')
          members = await bus.presence.members(ROOM)
        }
        const isOurs = members[0]?.node === bus.node
        if (isOurs && !isUs) log.info('keeping what devices say')
        isUs = isOurs
      } catch (err) {
        // Whoever kept it goes on: nobody else can know better at the moment.
        log.debug({ err }, 'failed to see which nodes are there')
      }
    },
    async leave() {
      isLeaving = true
      try {
        await bus.presence.leave(ROOM, id)
        return isUs && (await bus.presence.members(ROOM)).length > 0
      } catch {
        return false
      }
    },
  }
}
