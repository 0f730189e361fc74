import { Problem } from '@patchbay/contracts/core'
import { STATUS_CHANGES, VERSION_STATUSES, type VersionStatus } from '@patchbay/package-format'

/** From where a status can be reached. */
export function statusesBefore(status: VersionStatus): VersionStatus[] {
  return VERSION_STATUSES.filter((before) => STATUS_CHANGES[before].includes(status))
}

export function refuseStatus(before: VersionStatus, after: VersionStatus): Problem {
  const ways = STATUS_CHANGES[before].join(' or ')
  return new Problem('status_change_refused', {
    detail:
      before === after
        ? `The version is ${before} already.`
        : `A ${before} version can become ${ways}, but not ${after}.`,
  })
}
