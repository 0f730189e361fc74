import { Problem } from '@patchbay/contracts/core'

export interface Quarantined {
  readonly quarantined_at: Date | null
  readonly quarantine_reason: string | null
}

/** Whoever asks is told why: it is nothing that they did. */
export function refuseQuarantined(reason: string | null): Problem {
  return new Problem('package_quarantined', {
    detail: `An administrator has quarantined this package: ${reason ?? ''}`,
    extensions: { reason: reason ?? '' },
  })
}
