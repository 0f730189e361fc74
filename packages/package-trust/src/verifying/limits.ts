export interface TrustLimits {
  readonly rootBytes: number
  readonly timestampBytes: number
  readonly snapshotBytes: number
  /** Of a list of targets or a bin; no file may be larger, whatever the metadata above it says. */
  readonly targetsBytes: number
  /** For one `refresh`, `find` or `check` as a whole. */
  readonly deadlineMs: number
}

export const TRUST_LIMITS: TrustLimits = {
  rootBytes: 512_000,
  timestampBytes: 16_384,
  snapshotBytes: 4_194_304,
  targetsBytes: 16_777_216,
  deadlineMs: 60_000,
}
