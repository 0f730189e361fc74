import {
  type OidcAccount,
  type RunningOidcProvider,
  startOidcProvider,
} from '@patchbay/dev-identity-provider'
import { Secret } from '@patchbay/kernel/log'
import type { IdentitySettings, IssuerSettings } from '../../src/deps.ts'
import { type IdentityNode, type IdentityNodeOptions, startIdentity } from '../start.ts'

export const PUBLIC_URL = 'http://patchbay.localhost'

export interface WithIssuers extends AsyncDisposable {
  readonly node: IdentityNode
  readonly providers: readonly RunningOidcProvider[]
}

export interface IssuerOptions extends Omit<IdentityNodeOptions, 'databaseUrl' | 'settings'> {
  /** One provider each. */
  readonly ids?: readonly string[]
  readonly accounts?: readonly OidcAccount[]
  readonly settings?: Partial<IdentitySettings>
  readonly secret?: string
  /** What our side believes the secret to be. */
  readonly configuredSecret?: string
  readonly authMethod?: 'client_secret_basic' | 'client_secret_post'
}

/** A node whose people sign in with real issuers. */
export async function startWithIssuers(options: IssuerOptions = {}): Promise<WithIssuers> {
  const { ids = ['company'], accounts, settings, secret, authMethod, ...rest } = options
  const { configuredSecret = secret, ...node } = rest
  await using cleanup = new AsyncDisposableStack()
  const providers = await Promise.all(ids.map((id) => sharedProvider({ id, accounts, secret, authMethod })))
  const issuers = ids.map((id, index) => issuerSettings(id, providers[index]?.issuer ?? '', configuredSecret))
  const started = cleanup.use(
    await startIdentity({ ...node, settings: { publicUrl: PUBLIC_URL, issuers, ...settings } }),
  )
  const owned = cleanup.move()
  return { node: started, providers, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

interface ProviderOptions {
  readonly id: string
  readonly accounts: IssuerOptions['accounts'] | undefined
  readonly secret: string | undefined
  readonly authMethod: IssuerOptions['authMethod'] | undefined
}

const shared = new Map<string, Promise<RunningOidcProvider>>()

/** One for all tests of the process: it knows people by the cookies of their browsers. Nobody ends it. */
async function sharedProvider(options: ProviderOptions): Promise<RunningOidcProvider> {
  const key = JSON.stringify(options)
  const { id, accounts, secret, authMethod } = options
  const started =
    shared.get(key) ??
    startOidcProvider({
      ...(accounts === undefined ? {} : { accounts }),
      clients: [
        {
          id: `patchbay-${id}`,
          redirectUris: [callbackAddress(id)],
          ...(secret === undefined ? {} : { secret }),
          ...(authMethod === undefined ? {} : { authMethod }),
        },
      ],
    })
  shared.set(key, started)
  return await started
}

export function callbackAddress(id: string): string {
  return `${PUBLIC_URL}/auth/oidc/${id}/callback`
}

export function issuerSettings(id: string, issuer: string, secret?: string): IssuerSettings {
  return {
    id,
    name: `The ${id}`,
    issuer,
    clientId: `patchbay-${id}`,
    clientSecret: secret === undefined ? undefined : new Secret(secret),
  }
}
