import type { IncomingMessage } from 'node:http'

const WELL_FORMED = /^[A-Za-z0-9_-]{8,64}$/

/**
 * Ids that are unique over all nodes, because a node's name is. A proxy in front may have given one already;
 * it is kept only where proxies are configured, since a stranger could otherwise choose what our logs say.
 */
export function createRequestIds(node: string, behindProxy: boolean): (request: IncomingMessage) => string {
  let count = 0
  return ({ headers }) => {
    const given = behindProxy ? headers['x-request-id'] : undefined
    if (typeof given === 'string' && WELL_FORMED.test(given)) return given
    count += 1
    return `${node}-${count.toString(36)}`
  }
}
