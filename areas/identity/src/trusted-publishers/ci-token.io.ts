import { Problem } from '@patchbay/contracts/core'
import type { Clock } from '@patchbay/kernel/clock'
import { isLoopbackHost } from '@patchbay/kernel/http'
import type { Log } from '@patchbay/kernel/log'
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import type { CiServiceSettings } from '../deps.ts'
import { createIssuerClients } from '../oidc/issuer-clients.io.ts'

/** Signatures by a key pair alone: with a shared secret, whoever can verify could sign. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'EdDSA',
  'Ed25519',
]
const KEYS_DEADLINE_MS = 10_000
const CLOCK_TOLERANCE_SECONDS = 30
/** A token of GitLab lives as long as its job may run. */
const LONGEST_LIFE_SECONDS = 24 * 3_600

export interface CiToken {
  readonly claims: JWTPayload
  /** Told apart by the service that made it. */
  readonly id: string
  readonly expiresAt: Date
}

/** Answers what a service has signed for this server and has not ended; `undefined` for anything else. */
export function createReadCiToken({
  clock,
  log,
  audience,
}: {
  readonly clock: Clock
  readonly log: Log
  readonly audience: string
}) {
  const clientFor = createIssuerClients({ clock, log })
  const known = new Map<
    string,
    { readonly url: string; readonly keys: ReturnType<typeof createRemoteJWKSet> }
  >()

  /** The library asks again for a key that it does not know, at most every 30 s. */
  const keysOf = async ({ id, name, issuer }: CiServiceSettings) => {
    const client = await clientFor({ id, name, issuer, clientId: audience, clientSecret: undefined })
    const url = client.serverMetadata().jwks_uri
    if (url === undefined || !isSafe(new URL(url))) throw new Problem('issuer_unavailable')
    const former = known.get(id)
    if (former?.url === url) return former.keys
    const keys = createRemoteJWKSet(new URL(url), { timeoutDuration: KEYS_DEADLINE_MS })
    known.set(id, { url, keys })
    return keys
  }

  return async (service: CiServiceSettings, token: string): Promise<CiToken | undefined> => {
    const keys = await keysOf(service)
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: service.issuer,
        audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'iat', 'jti', 'sub'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        maxTokenAge: LONGEST_LIFE_SECONDS,
        currentDate: clock.now(),
      })
      const { jti, exp } = payload
      if (typeof jti !== 'string' || exp === undefined) return undefined
      return { claims: payload, id: jti, expiresAt: new Date((exp + CLOCK_TOLERANCE_SECONDS) * 1_000) }
    } catch (error) {
      if (isAboutToken(error)) return undefined
      log.warn({ service: service.id, reason: codeOf(error) }, 'failed to fetch the keys of a CI service')
      throw new Problem('issuer_unavailable')
    }
  }
}

/** Whom a token says it is from, before anything of it is believed: it only chooses whose keys are asked. */
export function findService(
  services: readonly CiServiceSettings[],
  token: string,
): CiServiceSettings | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const issuer: unknown = Object(claims)['iss']
    return services.find((service) => service.issuer === issuer)
  } catch {
    return undefined
  }
}

function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))
}

/** Of the library's errors, those that say that the service did not answer. */
function isAboutToken(error: unknown): boolean {
  const isAway =
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    codeOf(error) === 'ERR_JOSE_GENERIC'
  return error instanceof errors.JOSEError && !isAway
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
}
