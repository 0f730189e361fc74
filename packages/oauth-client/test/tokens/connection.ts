import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningOidcProvider, startOidcProvider } from '@patchbay/dev-identity-provider'
import { Credentials } from '../../src/credentials/index.ts'
import { systemSurroundings } from '../../src/surroundings.ts'
import { TokenKeeper, type TokenKeeperOptions } from '../../src/tokens/index.ts'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { obtainCode, REDIRECT_URI } from './sign-in.ts'

export const SECRET = 'the-secret-of-the-application'

export interface StoredRecord {
  accessToken: string
  refreshToken?: string
  expiresAt?: number
}

/** A clock that a test moves; starts at the real time, which the provider lives by. */
export class MovableTime {
  offset = 0
  readonly start = Date.now()

  now(): number {
    return this.start + this.offset
  }
}

export interface Connection extends AsyncDisposable {
  readonly provider: RunningOidcProvider
  readonly proxy: FaultProxy
  readonly folder: string
  readonly file: string
  readonly time: MovableTime
  readonly keeper: TokenKeeper
  createKeeper(changes?: Partial<TokenKeeperOptions>): TokenKeeper
  /** Signs in, exchanges the code and forgets the request for it. */
  connect(user?: string, scope?: string): Promise<void>
  read(): Promise<StoredRecord>
  write(record: object): Promise<void>
}

/** Ends with the process: the files that run in it, one after another, share this module. */
let shared: Promise<RunningOidcProvider> | undefined

function startProvider(): Promise<RunningOidcProvider> {
  return startOidcProvider({
    clients: [
      { id: 'app', secret: SECRET, authMethod: 'client_secret_post', redirectUris: [REDIRECT_URI] },
      { id: 'public', redirectUris: [REDIRECT_URI] },
    ],
  })
}

/** A real provider, one for the whole process, a proxy that can break things, and a keeper over a folder of its own. */
export async function startConnection(options: Partial<TokenKeeperOptions> = {}): Promise<Connection> {
  const provider = await (shared ??= startProvider())
  const proxy = await startFaultProxy(provider.issuer)
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-tokens-'))
  const file = join(folder, 'idp', 'ada.json')
  const time = new MovableTime()
  const createKeeper = (changes: Partial<TokenKeeperOptions> = {}) =>
    new TokenKeeper({
      provider: 'idp',
      tokenUrl: proxy.tokenUrl,
      credentials: new Credentials({ clientId: 'app', clientSecret: SECRET }),
      folder,
      surroundings: { ...systemSurroundings, now: () => time.now() },
      ...options,
      ...changes,
    })
  const keeper = createKeeper()
  return {
    provider,
    proxy,
    folder,
    file,
    time,
    keeper,
    createKeeper,
    async connect(user = 'ada', scope = 'openid offline_access') {
      await keeper.redeem(user, await obtainCode(provider.issuer, { scope }))
      proxy.requests.length = 0
    },
    read: async () => JSON.parse(await readFile(file, 'utf8')) as StoredRecord,
    write: (record) => writeFile(file, JSON.stringify(record), { mode: 0o600 }),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
