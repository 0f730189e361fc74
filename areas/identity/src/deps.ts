import type { SignUpPolicy } from '@patchbay/contracts/identity'
import type { Wakeups } from '@patchbay/kernel/bus'
import type { Clock } from '@patchbay/kernel/clock'
import type { Log, Secret } from '@patchbay/kernel/log'
import type { Metrics } from '@patchbay/kernel/metrics'
import type { Db } from '@patchbay/kernel/postgres'
import type { Principal } from './principal.ts'
import type { IdentityTables } from './tables.ts'

/** An OpenID Connect issuer that people can sign in with. */
export interface IssuerSettings {
  /** Part of addresses: `/auth/oidc/{id}/callback`. */
  readonly id: string
  /** On the button. */
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  /** Absent: a public client, which proves itself by PKCE alone. */
  readonly clientSecret: Secret | undefined
}

/** A CI service whose jobs may publish without a stored key. */
export interface CiServiceSettings {
  readonly id: string
  readonly name: string
  readonly issuer: string
  /** How it spells what it says of a job. */
  readonly kind: (typeof CI_KINDS)[number]
}

export const CI_KINDS = ['github', 'gitlab'] as const

export interface IdentitySettings {
  /** Without a slash at its end. */
  readonly publicUrl: string
  readonly issuers: readonly IssuerSettings[]
  readonly ciServices: readonly CiServiceSettings[]
  readonly signUp: SignUpPolicy
  /** What `max_age` is clamped to. */
  readonly maxSessionSeconds: number
  readonly browserSessionSeconds: number
  readonly browserIdleSeconds: number
  /** Intents without a `code_challenge` are refused. */
  readonly requiresVerifier: boolean
  readonly intentsPerMinute: number
  readonly streamsPerAddress: number
}

/** What every part of the area works with. */
export interface IdentityDeps {
  readonly db: Db<IdentityTables>
  readonly clock: Clock
  /** 256 random bits, as letters, digits, `-` and `_`. */
  readonly createSecret: () => string
  readonly wakeups: Wakeups
  readonly log: Log
  readonly metrics: Metrics
  readonly settings: IdentitySettings
  /** What else goes with a disabled account: this area knows nothing of packages. Answers how many. */
  readonly quarantinePackages?: (who: Principal, owner: string, reason: string) => Promise<number>
  /** Ends the links to workspaces that a person has made; called once their sessions and keys are over. */
  readonly endWorkspaceLinks?: (handle: string) => Promise<void>
  /** Whether a person was let into a workspace of somebody else: this area knows nothing of workspaces. */
  readonly isInvited?: (
    personId: string,
    workspace: { readonly owner: string; readonly repo: string },
  ) => Promise<boolean>
}
