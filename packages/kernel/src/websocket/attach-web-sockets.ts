import type { Server } from 'node:http'
import { parseHost } from '../http/allowed-hosts.ts'
import { parseOrigin } from '../http/allowed-origins.ts'
import { asksForWebSocket } from './handshake/upgrade.ts'
import type { WebSocketOptions } from './options.ts'
import { Registry, type WebSockets } from './registry.ts'

/** Makes one registry the only one to answer upgrades of this server. */
export function attachWebSockets(server: Server, options: WebSocketOptions): WebSockets {
  if (server.listenerCount('upgrade') > 0) {
    throw new Error(
      'Something else answers upgrades of this server already: two answers would meet on one socket.',
    )
  }
  checkEntries('host', options.allowedHosts, parseHost)
  checkEntries('origin', options.allowedOrigins, parseOrigin)
  const registry = new Registry(options)
  answerUpgrades(server, registry)
  return registry
}

/**
 * Until the server itself closes. One that drains still serves requests when its sockets are gone: without an answer of ours,
 * an upgrade would be a request for a page that does not exist, and no proxy asks the next node after a 404.
 */
function answerUpgrades(server: Server & { shouldUpgradeCallback?: unknown }, registry: Registry): void {
  const before = server.shouldUpgradeCallback
  // Some clients offer h2c on every plain request; Node before 24.9 does not ask and hands those over as well.
  server.shouldUpgradeCallback = asksForWebSocket
  server.on('upgrade', registry.answer)
  server.once('close', () => {
    server.off('upgrade', registry.answer)
    server.shouldUpgradeCallback = before
  })
}

/** An entry that cannot be read would silently match nothing. */
function checkEntries(what: string, entries: readonly string[], parse: (entry: string) => unknown): void {
  for (const entry of entries) {
    if (parse(entry) === undefined) throw new Error(`Not a ${what} that could be allowed: ${entry}`)
  }
}
