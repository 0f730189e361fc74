/** Sizes and waits. Nothing that a server does may take more than this. */
export interface ClientLimits {
  readonly repositoryBytes: number
  readonly packagesBytes: number
  readonly resourcesBytes: number
  readonly archiveBytes: number
  readonly redirects: number
  /** How often one file is asked for before it counts as failed. */
  readonly attempts: number
  /** The first pause between two attempts; each further one is twice as long. */
  readonly pauseMs: number
  /** A server that asks to stay away for longer is not waited for. */
  readonly retryAfterMs: number
  /** Between two signs of life. */
  readonly idleMs: number
  /** For one attempt at one file of the index, redirects and body included. */
  readonly deadlineMs: number
  /** For one archive, with all that is asked for again of it. */
  readonly downloadDeadlineMs: number
  /** How often an archive that broke off is continued. */
  readonly continuations: number
}

const MIB = 1024 * 1024

export const CLIENT_LIMITS: ClientLimits = {
  repositoryBytes: MIB,
  packagesBytes: 64 * MIB,
  resourcesBytes: 100 * MIB,
  archiveBytes: 2048 * MIB,
  redirects: 5,
  attempts: 4,
  pauseMs: 300,
  retryAfterMs: 20_000,
  idleMs: 20_000,
  deadlineMs: 120_000,
  downloadDeadlineMs: 3_600_000,
  continuations: 8,
}
