import { type RunningOidcProvider, startOidcProvider } from '@patchbay/dev-identity-provider'
import type { CiServiceSettings, IdentitySettings } from '../../src/deps.ts'
import type { Browser } from '../browser.ts'
import { type IdentityNode, type IdentityNodeOptions, startIdentity } from '../start.ts'

export const PUBLIC_URL = 'http://patchbay.localhost'

/** What GitHub says of a job that ran on a push to `main`. */
export const JOB = {
  sub: 'repo:acme/lamp:ref:refs/heads/main',
  repository: 'acme/lamp',
  repository_id: '4711',
  ref: 'refs/heads/main',
  sha: 'a'.repeat(40),
  workflow_ref: 'acme/lamp/.github/workflows/release.yml@refs/heads/main',
  event_name: 'push',
  run_id: '99',
} as const

export const TRUST = {
  owner: 'ada',
  identifier: 'com.example.lamp',
  service: 'ci',
  repository: 'acme/lamp',
  ref: 'refs/heads/main',
} as const

export interface WithCi extends AsyncDisposable {
  readonly node: IdentityNode
  readonly ci: RunningOidcProvider
  readonly ada: Browser
  /** A token of the service, for this server and now, unless the claims say otherwise. */
  tokenOf(claims?: Readonly<Record<string, unknown>>, audience?: string): Promise<string>
  exchange(token: string, what?: Readonly<Record<string, unknown>>): Promise<Response>
  trust(wanted?: Readonly<Record<string, unknown>>): Promise<string>
}

/** A node that trusts a CI service, the development provider in its role, and somebody with packages. */
export async function startWithCi(
  options: Omit<IdentityNodeOptions, 'databaseUrl' | 'settings'> & {
    readonly settings?: Partial<IdentitySettings>
    readonly service?: Partial<CiServiceSettings>
  } = {},
): Promise<WithCi> {
  const { settings, service, ...rest } = options
  await using cleanup = new AsyncDisposableStack()
  const ci = cleanup.use(await startOidcProvider())
  const ciServices = [
    { id: 'ci', name: 'Example CI', issuer: ci.issuer, kind: 'github' as const, ...service },
  ]
  const node = cleanup.use(
    await startIdentity({ ...rest, settings: { publicUrl: PUBLIC_URL, ciServices, ...settings } }),
  )
  const ada = await node.signedIn('ada')
  const owned = cleanup.move()
  return {
    node,
    ci,
    ada,
    tokenOf(claims = {}, audience = PUBLIC_URL) {
      const iat = Math.floor(node.clock.now().getTime() / 1_000)
      return ci.signJobToken(audience, { ...JOB, iat, exp: iat + 300, ...claims })
    },
    exchange: (token, what = {}) =>
      node.ask('/auth/trusted-publishers/keys', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token, owner: TRUST.owner, identifier: TRUST.identifier, ...what }),
      }),
    async trust(wanted = {}) {
      const response = await ada.change('POST', '/auth/trusted-publishers', { ...TRUST, ...wanted })
      if (response.status !== 201) throw new Error(`not added: ${response.status} ${await response.text()}`)
      return ((await response.json()) as { id: string }).id
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** How a request ended: its status, and why it was refused. */
export async function outcomeOf(response: Response): Promise<unknown> {
  const { code, reason } = (await response.json()) as { code?: string; reason?: string }
  return response.ok ? response.status : [response.status, code, ...(reason === undefined ? [] : [reason])]
}
