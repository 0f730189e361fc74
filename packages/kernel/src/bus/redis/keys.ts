import { hash } from 'node:crypto'
import type { NodeId } from '../ports/bus.ts'

/**
 * Names are digested: a dump of Redis shows no state, token or address, every key is equally short,
 * and no name can smuggle in a hash tag. 132 bits leave nothing to collide.
 */
const DIGEST_LENGTH = 22

function digest(...parts: readonly string[]): string {
  return hash('sha256', parts.join('\0'), 'base64url').slice(0, DIGEST_LENGTH)
}

export const claimKey = (directory: string, key: string) => `pb:d:${digest(directory, key)}`
export const wakeChannel = (key: string) => `pb:w:${digest(key)}`
export const roomKey = (room: string) => `pb:p:${digest(room)}`
export const rateKey = (key: string) => `pb:r:${digest(key)}`

/** One hash tag for both, so that one script can look at the lease and publish on the channel, also in a cluster. */
export const leaseKey = (node: NodeId) => `pb:n:{${node}}`
export const nodeChannelName = (node: NodeId) => `pb:c:{${node}}`

/** Which nodes there are, with their counts. */
export const CENSUS_KEY = 'pb:nodes'
