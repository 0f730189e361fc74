import { createHash } from 'node:crypto'
import { Problem } from '@patchbay/contracts/core'
import type { Asking, Publisher, RegistryAccess } from '../src/deps.ts'

export interface TestAccess extends RegistryAccess {
  /** `identifier`: this one alone, as the scope of a key would have it. */
  grant(handle: string, owner: string, access: 'read' | 'write', identifier?: string): void
  revoke(handle: string, owner: string, access: 'read' | 'write', identifier?: string): void
  /** Ends everything that the person may, in a moment. */
  disable(handle: string): void
}

/** The part of identity that the area is handed: a person is whom the request says it is. */
export function createTestAccess(): TestAccess {
  const granted = new Set<string>()
  const disabled = new Set<string>()
  const authenticate = async ({ headers }: Asking): Promise<Publisher | undefined> => {
    const handle = headers['x-test-person']
    if (typeof handle !== 'string') return undefined
    if (disabled.has(handle)) throw new Problem('credential_invalid')
    const kind = String(headers['x-test-credential'] ?? 'application')
    return { personId: personIdOf(handle), handle, credential: { kind, id: personIdOf(kind) } }
  }
  return {
    authenticate,
    async requireChange(request) {
      const who = await authenticate(request)
      if (who === undefined) throw new Problem('sign_in_required')
      return who
    },
    async requireAdministrator(request) {
      const who = await authenticate(request)
      if (who?.handle !== 'root') throw new Problem('not_permitted')
      return who
    },
    isAdministrator: ({ handle }) => handle === 'root',
    async mayPublish({ handle }, owner) {
      return (
        handle === owner ||
        [...granted].some((grant) => grant.startsWith(`${handle} ${owner} `) && grant.endsWith(' write'))
      )
    },
    async isAllowed({ handle }, owner, identifier, access) {
      const accesses = access === 'read' ? ['read', 'write'] : ['write']
      return (
        handle === owner ||
        accesses.some((each) =>
          ['*', identifier].some((name) => granted.has(`${handle} ${owner} ${name} ${each}`)),
        )
      )
    },
    grant: (handle, owner, access, identifier = '*') =>
      void granted.add(`${handle} ${owner} ${identifier} ${access}`),
    revoke: (handle, owner, access, identifier = '*') =>
      void granted.delete(`${handle} ${owner} ${identifier} ${access}`),
    disable: (handle) => void disabled.add(handle),
  }
}

function personIdOf(handle: string): string {
  const hex = createHash('sha256').update(handle).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
