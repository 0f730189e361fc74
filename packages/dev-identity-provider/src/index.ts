import { generateKeyPair, randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { promisify } from 'node:util'
import { importJWK, type JWTPayload, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'
import { oidcConfiguration } from './configuration.ts'
import { answerInteraction } from './interactions.ts'
import type { OidcAccount } from './pages.ts'
import { createOidcStore } from './store.ts'

export type { OidcAccount } from './pages.ts'

export interface OidcClient {
  readonly id: string
  /** Left out, the client is public and proves itself by PKCE alone. */
  readonly secret?: string
  readonly authMethod?: 'client_secret_basic' | 'client_secret_post'
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris?: readonly string[]
  /** How it is called on the pages people see. */
  readonly name?: string
}

export interface OidcProviderOptions {
  readonly clients?: readonly OidcClient[]
  readonly accounts?: readonly OidcAccount[]
  /** 0, the default, takes any free port; the issuer names the one that was taken. */
  readonly port?: number
  /** Whether a second sign-in of the same browser to the same client passes without asking. Default true. */
  readonly rememberConsent?: boolean
}

export interface RunningOidcProvider extends AsyncDisposable {
  readonly issuer: string
  readonly accounts: readonly OidcAccount[]
  /** For applications that learn their own address only after they know the issuer's. */
  addClient(client: OidcClient): Promise<void>
  /** What a CI service gives to a job: a token with these claims, signed with the key that the issuer publishes. */
  signJobToken(audience: string, claims: Readonly<Record<string, unknown>>): Promise<string>
}

const JOB_TOKEN_SECONDS = 300

export const DEFAULT_ACCOUNTS: readonly OidcAccount[] = [
  { sub: 'ada', email: 'ada@example.test', name: 'Ada Lovelace' },
  { sub: 'grace', email: 'grace@example.test', name: 'Grace Hopper' },
  { sub: 'zoe', email: 'zoe@example.test', name: 'Zoë Żółkiewska' },
]

/**
 * A real OpenID Connect provider on the loopback interface: authorization code with PKCE, refresh tokens that
 * rotate, userinfo, sign-out. Its state lives as long as the process.
 */
export async function startOidcProvider(options: OidcProviderOptions = {}): Promise<RunningOidcProvider> {
  const accounts = options.accounts ?? DEFAULT_ACCOUNTS
  const byId = new Map(accounts.map((account) => [account.sub, account]))
  const store = createOidcStore()
  const key = await createSigningKey()
  const server = createServer()
  // The issuer is part of every token, so the port must be known before the provider exists.
  const issuer = `http://127.0.0.1:${await listen(server, options.port ?? 0)}`
  const provider = new Provider(issuer, {
    ...oidcConfiguration(byId, options.rememberConsent ?? true),
    adapter: store,
    jwks: { keys: [key] },
  })
  serve(server, provider, byId)
  const addClient = async (client: OidcClient) => {
    await store('Client').upsert(client.id, clientMetadata(client))
  }
  for (const client of options.clients ?? []) await addClient(client)
  const signJobToken = async (audience: string, claims: Readonly<JWTPayload>) => {
    const now = Math.floor(Date.now() / 1_000)
    // What the caller says of its own counts: a test has tokens from yesterday as well.
    const payload = {
      iss: issuer,
      aud: audience,
      iat: now,
      exp: now + JOB_TOKEN_SECONDS,
      jti: randomUUID(),
      ...claims,
    }
    const { alg, kid } = key
    return await new SignJWT(payload)
      .setProtectedHeader({ alg, kid, typ: 'JWT' })
      .sign(await importJWK(key, alg))
  }
  return { issuer, accounts, addClient, signJobToken, [Symbol.asyncDispose]: () => close(server) }
}

function serve(server: Server, provider: Provider, accounts: ReadonlyMap<string, OidcAccount>): void {
  // The library answers its own faults with a page that says nothing; unseen, they would be hard to find.
  provider.on('server_error', (_context, error) => process.emitWarning(error))
  const answerProtocol = provider.callback()
  server.on('request', (request, response) => {
    answerInteraction(provider, accounts, request, response)
      .then((answered) => (answered ? undefined : answerProtocol(request, response)))
      .catch((error: Error) => {
        process.emitWarning(error)
        response.destroy()
      })
  })
}

function clientMetadata(client: OidcClient) {
  const proof =
    client.secret === undefined
      ? { token_endpoint_auth_method: 'none' as const }
      : {
          client_secret: client.secret,
          token_endpoint_auth_method: client.authMethod ?? ('client_secret_basic' as const),
        }
  return {
    ...proof,
    client_id: client.id,
    client_name: client.name ?? client.id,
    redirect_uris: [...client.redirectUris],
    post_logout_redirect_uris: [...(client.postLogoutRedirectUris ?? [])],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code' as const],
  }
}

async function createSigningKey() {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2_048 })
  return { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: randomUUID() }
}

function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  server.once('error', reject)
  server.listen(port, '127.0.0.1', () => {
    const address = server.address()
    if (address === null || typeof address === 'string') reject(new Error('no TCP address'))
    else resolve(address.port)
  })
  return promise
}

function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  server.closeAllConnections()
  return promise
}
