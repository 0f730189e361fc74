import { Problem } from '@patchbay/contracts/core'
import type { Clock } from '@patchbay/kernel/clock'
import { isLoopbackHost } from '@patchbay/kernel/http'
import type { Log } from '@patchbay/kernel/log'
import * as oidc from 'openid-client'
import type { IssuerSettings } from '../deps.ts'
import { reasonOf } from './issuer-failure.ts'

const ISSUER_DEADLINE_SECONDS = 10
const DISCOVERY_AGE_MS = 3_600_000

/** What an issuer publishes about itself, with what we need to talk to it. */
export type IssuerClient = oidc.Configuration

interface Discovered {
  readonly client: Promise<IssuerClient>
  readonly askedAt: number
}

/** Answers the client for an issuer. Whoever asks while an answer is on its way waits for the same one. */
export function createIssuerClients({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
  const known = new Map<string, Discovered>()
  return async (settings: IssuerSettings): Promise<IssuerClient> => {
    const now = clock.now().getTime()
    const former = known.get(settings.id)
    if (former !== undefined && now - former.askedAt < DISCOVERY_AGE_MS) return await former.client
    const client = discover(settings).catch((error: unknown) => {
      // Not kept: the next person would be told about an outage that may be over.
      known.delete(settings.id)
      log.warn({ issuer: settings.id, reason: reasonOf(error) }, 'issuer discovery failed')
      throw new Problem('issuer_unavailable')
    })
    known.set(settings.id, { client, askedAt: now })
    return await client
  }
}

async function discover({ issuer, clientId, clientSecret }: IssuerSettings): Promise<IssuerClient> {
  const url = new URL(issuer)
  return await oidc.discovery(
    url,
    clientId,
    undefined,
    clientSecret === undefined ? oidc.None() : proofBySecret(clientSecret.reveal()),
    {
      timeout: ISSUER_DEADLINE_SECONDS,
      execute: [
        // TLS alone would vouch for the ID token; its signature also does where something in between ends the TLS.
        oidc.enableNonRepudiationChecks,
        ...(isLoopbackHost(url.hostname) ? [oidc.allowInsecureRequests] : []),
      ],
    },
  )
}

/** In a header, which every issuer must take unless it says otherwise, or else in the form. */
export function proofBySecret(secret: string): oidc.ClientAuth {
  const basic = oidc.ClientSecretBasic(secret)
  const post = oidc.ClientSecretPost(secret)
  return (server, client, body, headers) => {
    const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const prove = supported.includes('client_secret_basic') ? basic : post
    return prove(server, client, body, headers)
  }
}
