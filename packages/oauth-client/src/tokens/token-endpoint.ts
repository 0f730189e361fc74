import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  ClientSecretPost,
  customFetch,
  None,
  nopkce,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  skipStateCheck,
  type TokenEndpointRequestOptions,
  validateAuthResponse,
} from 'oauth4webapi'
import type { Credentials } from '../credentials/index.ts'
import { secureAddress } from '../flow/addresses.ts'
import type { Surroundings } from '../surroundings.ts'
import { fetchTokenAnswer } from './token-answer.ts'
import { failureOf } from './token-failure.ts'
import { connectedRecord, refreshedRecord, type TokenRecord } from './token-record.ts'

export interface CodeExchange {
  readonly code: string
  /** The same that the authorization request named. */
  readonly redirectUri: string
  /** Left out when the authorization request carried no PKCE challenge. */
  readonly codeVerifier?: string
}

/** The provider's token URL: each call is one request. */
export class TokenEndpoint {
  readonly #server: AuthorizationServer
  readonly #client: Client
  readonly #proof: ClientAuth
  readonly #insecure: boolean
  readonly #now: () => number

  constructor(tokenUrl: string | URL, { clientId, clientSecret }: Credentials, surroundings: Surroundings) {
    const { href, origin, protocol } = secureAddress('tokenUrl', String(tokenUrl), ['https:', 'http:'])
    // Unencrypted addresses that got this far are on this machine.
    this.#insecure = protocol === 'http:'
    // Nothing that names an issuer is read from an answer: what comes back is for use at an API, not a sign-in.
    this.#server = { issuer: origin, token_endpoint: href }
    this.#client = { client_id: clientId }
    this.#proof = clientSecret === undefined ? None() : ClientSecretPost(clientSecret)
    this.#now = () => surroundings.now()
  }

  async exchange(
    { code, redirectUri, codeVerifier }: CodeExchange,
    signal: AbortSignal,
  ): Promise<TokenRecord> {
    const sentAt = this.#now()
    try {
      // State and issuer were checked where the code came in.
      const callback = new URLSearchParams({ code })
      const response = await authorizationCodeGrantRequest(
        this.#server,
        this.#client,
        this.#proof,
        validateAuthResponse(this.#server, this.#client, callback, skipStateCheck),
        redirectUri,
        codeVerifier ?? nopkce,
        this.#options(signal),
      )
      return connectedRecord(
        await processAuthorizationCodeResponse(this.#server, this.#client, response),
        sentAt,
      )
    } catch (error) {
      throw failureOf(error)
    }
  }

  async refresh(record: TokenRecord, refreshToken: string, signal: AbortSignal): Promise<TokenRecord> {
    // Taken before the request: a token must not seem to live longer by the time that its answer took.
    const sentAt = this.#now()
    try {
      const response = await refreshTokenGrantRequest(
        this.#server,
        this.#client,
        this.#proof,
        refreshToken,
        this.#options(signal),
      )
      return refreshedRecord(
        record,
        await processRefreshTokenResponse(this.#server, this.#client, response),
        sentAt,
      )
    } catch (error) {
      throw failureOf(error)
    }
  }

  #options(signal: AbortSignal): TokenEndpointRequestOptions {
    return {
      signal,
      [customFetch]: (url, init) => fetchTokenAnswer(url, init, this.#now),
      [allowInsecureRequests]: this.#insecure,
    }
  }
}
