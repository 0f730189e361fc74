import { HIGHEST_LEFT_OUT } from './compatibility.ts'
import { findKeepOnUpdateFaults } from './keep-on-update-faults.ts'
import { findUnsafeLinks } from './link-faults.ts'
import type { Package } from './package.ts'
import type { Finding } from './validate/finding.ts'
import { compareParts, partsOf } from './version.ts'

/**
 * What the format allows and nobody should hand out, and as warnings what may not work everywhere. One judgement for
 * whoever checks, packs, publishes or takes a publication; those who read what is published already take it as it is.
 */
export function findPublishFaults(value: unknown): Finding[] {
  return [...findUnsafeLinks(value), ...findCrossedToolVersions(value), ...findKeepOnUpdateFaults(value)]
}

/** Versions that run on no tool: the oldest that they need is newer than the newest that they take. */
function findCrossedToolVersions(value: unknown): Finding[] {
  const { versions = [] } = value as Partial<Package>
  return versions.flatMap(({ tool_version: min, tool_version_max: max }, index): Finding[] => {
    if (max === undefined || compareParts(partsOf(min, 0), partsOf(max, HIGHEST_LEFT_OUT)) <= 0) return []
    const pointer = `/versions/${index}/tool_version_max`
    const message = `is ${max}, below the oldest tool version, ${min}: no tool could use it`
    return [{ pointer, message, severity: 'error', code: 'tool_versions_crossed' }]
  })
}
