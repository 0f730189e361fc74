import type { Passkey as WirePasskey } from '@patchbay/contracts/identity'

export const MOST_PASSKEYS = 20
export const SIGN_UP_LABEL = 'Passkey'

/** What an authenticator made, once it was checked. */
export interface NewPasskey {
  readonly credentialId: Buffer
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly transports: string[]
  readonly isSynced: boolean
}

export interface ListedPasskey {
  readonly id: string
  readonly label: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly isSynced: boolean
}

export function presentPasskey(passkey: ListedPasskey): WirePasskey {
  return {
    id: passkey.id,
    label: passkey.label,
    created_at: passkey.createdAt.toISOString(),
    last_used_at: passkey.lastUsedAt === null ? null : passkey.lastUsedAt.toISOString(),
    is_synced: passkey.isSynced,
  }
}
