/** Numbers that the contract fixes. Named here once; clients and servers import the same constant. */
export const LIMITS = {
  /** An authentication intent can be linked for this long. */
  intentLifetimeMs: 15 * 60_000,
  /** A session lives this long unless `max_age` asks for less. */
  sessionLifetimeSeconds: 7_776_000,
  /** A gateway registration can receive its code for this long. */
  gatewayRegistrationLifetimeMs: 10 * 60_000,
  /** A state that was delivered cannot be registered again for this long. */
  gatewayTombstoneMs: 10 * 60_000,
  gatewayMessageBytes: 4_096,
  /** A gateway connection without a registration is closed after this long. */
  gatewayRegisterWithinMs: 10_000,
  watchdogPollIntervalMs: 10_000,
  watchdogFailuresBeforeRestart: 3,
  /** A client renews its access token this long before it expires. */
  tokenRefreshMarginMs: 60_000,
  /** A user interface asks a service's status route this often. */
  statusPollIntervalMs: 2_000,
  /** A client asks for an intent's status this often. */
  intentPollIntervalMs: 2_000,
  /** No side of an optimized screenshot is longer. */
  screenshotMaxSidePx: 1_568,
  pngCompressionLevel: 9,
  packageNameLength: 200,
  packageDescriptionLength: 500,
  packageFullDescriptionLength: 5_000,
  contactNameLength: 500,
  repositoryNameLength: 500,
  resourceValueLength: 500,
} as const

export const DEFAULT_PORTS = {
  server: 8790,
  proxy: 8792,
  gateway: 8795,
  watchdog: 8796,
  viewer: 8797,
} as const

/** A program on this machine, in the one spelling that is used for all: providers compare redirect URIs letter by letter. */
export function localAddress(port: number): string {
  return `http://localhost:${port}`
}
