import type { TrustedPublisher } from '@patchbay/contracts/identity'
import type { Trust } from './job.ts'

export const TRUSTED_PUBLISHERS_PER_PERSON = 50
/** Of one trusted publisher at once: each ends after 15 minutes. */
export const OPEN_KEYS = 50

export interface WantedTrust {
  readonly owner: string
  readonly identifier: string
  readonly service: string
  readonly repository: string
  readonly ref: string
  readonly workflow: string | null
  readonly environment: string | null
}

export interface KeptTrust extends WantedTrust, Trust {
  readonly id: string
  readonly person_id: string
  readonly added_by: string
  readonly created_at: Date
  readonly last_used_at: Date | null
}

export function presentTrust({ created_at, last_used_at, ...kept }: KeptTrust): TrustedPublisher {
  const { id, owner, identifier, service, repository, ref, workflow, environment, added_by } = kept
  return {
    id,
    owner,
    identifier,
    service,
    repository,
    ref,
    workflow,
    environment,
    added_by,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  }
}
