import { findKeepOnUpdateFaults } from './keep-on-update-faults.ts'
import { findUnsafeLinks } from './link-faults.ts'
import { findCrossedToolVersions } from './tool-version-faults.ts'
import type { Finding } from './validate/finding.ts'

/**
 * What the format allows and nobody should hand out, and as warnings what may not work everywhere. One judgement for
 * whoever checks, packs, publishes or takes a publication; those who read what is published already take it as it is.
 */
export function findPublishFaults(value: unknown): Finding[] {
  return [...findUnsafeLinks(value), ...findCrossedToolVersions(value), ...findKeepOnUpdateFaults(value)]
}
