import type { RetentionOf } from '@patchbay/kernel/postgres'
import { KEYS_PER_PERSON } from './keys/api-key.ts'
import { MEMBERSHIPS_PER_PERSON, ORGANIZATIONS_OWNED } from './organizations/membership.ts'
import { MOST_PASSKEYS } from './passkeys/passkey.ts'
import type { IdentityTables } from './tables.ts'
import { OPEN_KEYS, TRUSTED_PUBLISHERS_PER_PERSON } from './trusted-publishers/trusted-publisher.ts'

export const identityRetention: RetentionOf<IdentityTables> = {
  handles: { bound: 'one row for each person and organization: a handle is never given to somebody else' },
  people: {
    bound: 'one row for each account; accounts are made by invitation or by an issuer that is set up',
  },
  organizations: { bound: `${ORGANIZATIONS_OWNED} for each person who owns them` },
  members: { bound: `${MEMBERSHIPS_PER_PERSON} organizations for each person, and those they own` },
  external_identities: { bound: 'one row for each account that an issuer made' },
  passkeys: { bound: `${MOST_PASSKEYS} for each person` },
  api_keys: {
    bound: `${KEYS_PER_PERSON} for each person, and ${OPEN_KEYS} for each trusted publisher, which are removed when they end`,
  },
  trusted_publishers: { bound: `${TRUSTED_PUBLISHERS_PER_PERSON} for each person` },
  used_ci_tokens: { keptFor: 'until they expire, a day at most' },
  sessions: { keptFor: 'until they expire or are ended' },
  intents: { keptFor: '7 days after they expired; who asked, 1 hour; a linked one, as long as its session' },
  ceremonies: { keptFor: 'until they expire, 10 minutes at most' },
  operator_actions: { keptFor: '3 years' },
  invitations: { keptFor: 'until they are used or expire' },
}
