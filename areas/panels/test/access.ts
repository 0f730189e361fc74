import { createHash } from 'node:crypto'
import { Problem } from '@patchbay/contracts/core'
import type { Asking, Caller, PanelArea, PanelsAccess } from '../src/deps.ts'

export interface TestAccess extends PanelsAccess {
  /** Everybody may write what is their own; this is for the rest. */
  grant(handle: string, owner: string, access: 'read' | 'write'): void
  revokeAll(): void
  /** Signs the person out of the browser that has no other label. */
  endSession(handle: string): void
  removeCredential(id: string): void
}

/** Who asks, as a request of a test says it. */
export interface TestCredential {
  readonly kind?: 'browser' | 'application' | 'api_key'
  /** Tells credentials of one person apart, and names them. */
  readonly label?: string
  /** Of a key: `webview:ada/board`. Everything unless given. */
  readonly scopes?: readonly string[]
}

export function headersOf(
  handle: string,
  { kind = 'api_key', label = 'agent', scopes }: TestCredential = {},
) {
  return {
    'x-test-person': handle,
    'x-test-credential': `${kind} ${label}`,
    ...(scopes === undefined ? {} : { 'x-test-scopes': scopes.join(' ') }),
  }
}

interface TestCaller extends Caller {
  readonly scopes: readonly string[] | null
}

/** The part of identity that the area is handed: a person is whom the request says it is. */
export function createTestAccess(): TestAccess {
  const granted = new Set<string>()
  const ended = new Set<string>()
  const removed = new Set<string>()
  const sessions = new Map<string, TestCaller>()
  const authenticate = async ({ headers }: Asking): Promise<TestCaller | undefined> => {
    const handle = headers['x-test-person']
    if (typeof handle !== 'string') return undefined
    const [kind = '', label = ''] = String(headers['x-test-credential'] ?? 'api_key agent').split(' ')
    const scopes = headers['x-test-scopes']
    const caller: TestCaller = {
      personId: uuidOf(handle),
      handle,
      credential: {
        kind: kind as Caller['credential']['kind'],
        id: uuidOf(`${handle} ${kind} ${label}`),
        label,
      },
      scopes: typeof scopes === 'string' ? scopes.split(' ') : null,
    }
    sessions.set(caller.credential.id, caller)
    return caller
  }
  const requirePrincipal = async (request: Asking): Promise<TestCaller> => {
    const caller = await authenticate(request)
    if (caller === undefined) throw new Problem('sign_in_required')
    return caller
  }
  const requirePerson = async (request: Asking): Promise<TestCaller> => {
    const caller = await requirePrincipal(request)
    if (caller.credential.kind !== 'browser') throw new Problem('browser_session_required')
    return caller
  }
  const isInScope = ({ scopes }: TestCaller, area: PanelArea, owner: string, repo: string): boolean => {
    const covering = [area, 'panels'].flatMap((each) => [`${each}:${owner}/*`, `${each}:${owner}/${repo}`])
    return scopes === null || covering.some((scope) => scopes.includes(scope))
  }
  const isAllowed = async (
    caller: Caller,
    area: PanelArea,
    owner: string,
    repo: string,
    access: 'read' | 'write',
  ): Promise<boolean> => {
    if (!isInScope(caller as TestCaller, area, owner, repo)) return false
    const accesses = access === 'read' ? ['read', 'write'] : ['write']
    return (
      caller.handle === owner || accesses.some((each) => granted.has(`${caller.handle} ${owner} ${each}`))
    )
  }
  return {
    authenticate,
    requirePrincipal,
    requireChange: requirePrincipal,
    requirePerson,
    requirePersonsChange: requirePerson,
    isAllowed,
    mayReadAny: async (caller, owner) => {
      const { scopes } = caller as TestCaller
      const touches = scopes?.some((scope) => scope.includes(`:${owner}/`)) ?? true
      return (
        touches &&
        (await isAllowed({ ...caller, scopes: null } as TestCaller, 'workspace', owner, '*', 'read'))
      )
    },
    findSession: async (id) => (ended.has(id) ? undefined : sessions.get(id)),
    findPerson: async (handle) => (handle === 'nobody' ? undefined : { personId: uuidOf(handle) }),
    isInScope: (caller, area, owner, repo) => isInScope(caller as TestCaller, area, owner, repo),
    findCredentials: async (ids) => new Set(ids.filter((id) => !removed.has(id))),
    removeCredential: (id) => void removed.add(id),
    endSession: (handle) => void ended.add(uuidOf(`${handle} browser agent`)),
    grant: (handle, owner, access) => void granted.add(`${handle} ${owner} ${access}`),
    revokeAll: () => granted.clear(),
  }
}

export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
