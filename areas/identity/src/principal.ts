import type { Provenance } from '@patchbay/contracts/core'
import type { CredentialKind } from '@patchbay/contracts/identity'

/** Whom a request speaks for, and how that was shown. */
export interface Principal {
  readonly personId: string
  readonly handle: string
  readonly displayName: string
  readonly isAdmin: boolean
  readonly credential: {
    readonly kind: CredentialKind
    /** Of the session or the API key. */
    readonly id: string
    readonly label: string | null
    readonly expiresAt: Date | null
    /** What an API key may do; null for sessions. */
    readonly scopes: readonly string[] | null
    /** Of a key that a CI job was given: what its CI service says of the job. */
    readonly provenance?: Provenance | null
  }
}
