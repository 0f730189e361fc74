import { Problem } from '@patchbay/contracts/core'
import {
  getIntent,
  getIntentRequest,
  getIntentStatus,
  patchIntent,
  postIntent,
} from '@patchbay/contracts/identity'
import { acceptWeights, type HttpApp, on } from '@patchbay/kernel/http'
import type { IdentityDeps } from '../deps.ts'
import type { Authentication } from '../sessions/authentication.store.ts'
import { deviceOf, siteOf } from '../sessions/device.ts'
import { networkPrefix, originOf, requesterOf } from '../sessions/origin.ts'
import { callerCookie, callerOf } from './caller.ts'
import { approve, decline } from './decision.store.ts'
import { createIntents, type StoredIntent } from './intent.store.ts'
import {
  confirmationCode,
  decisionRefusal,
  expiryOf,
  type Intent,
  intentTokenHash,
  presentIntent,
  refusal,
  sessionSeconds,
} from './intent.ts'
import { createStreaming } from './intent-stream.routes.ts'
import { checkStatus, findFor, readStatus } from './status.store.ts'

/** Authentication intents: an application asks, a person decides, the application is told. */
export function registerIntents(app: HttpApp, deps: IdentityDeps, authentication: Authentication): void {
  const { db, clock, createSecret, settings } = deps
  const intents = createIntents(db)
  const own = { ...deps, intents }
  const streaming = createStreaming(app, own)
  const find = async (token: string): Promise<StoredIntent | undefined> => {
    const tokenHash = intentTokenHash(token)
    return tokenHash === undefined ? undefined : await intents.find(tokenHash)
  }

  app.route({
    // From any origin: it needs no credential, and the person is told which site asks.
    ...on(postIntent, {
      crossOrigin: true,
      rateLimit: { max: settings.intentsPerMinute, windowMs: 60_000 },
    }),
    async handler(request, reply) {
      const { max_age, label, code_challenge } = request.body
      if (settings.requiresVerifier && code_challenge === undefined) throw new Problem('challenge_required')
      const token = createSecret()
      const createdAt = clock.now()
      const intent: Intent = {
        createdAt,
        expiresAt: expiryOf(createdAt),
        maxAgeSeconds: sessionSeconds(max_age, settings.maxSessionSeconds),
        label: label ?? null,
        codeChallenge: code_challenge ?? null,
        linkedAt: null,
        declinedAt: null,
        expiredAt: null,
      }
      await intents.insert({
        tokenHash: tokenHashOf(token),
        intent,
        origin: requesterOf(request, settings.publicUrl),
      })
      const cookie = callerCookie(request.headers, createSecret)
      if (cookie !== undefined) reply.header('set-cookie', cookie)
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send(presentIntent(token, intent, settings.publicUrl))
    },
  })

  app.route({
    ...on(getIntent),
    async handler(request, reply) {
      const { token } = request.params
      const { intent } = await findFor(own, token, callerOf(request))
      return reply.header('cache-control', 'no-store').send(presentIntent(token, intent, settings.publicUrl))
    },
  })

  app.route({
    ...on(patchIntent),
    async handler(request, reply) {
      const person = await authentication.requirePersonsChange(request)
      const { token } = request.params
      const decide = request.body.decision === 'decline' ? decline : approve
      const intent = await decide(own, token, person)
      if (intent === undefined) throw decisionRefusal(await find(token), clock.now())
      return reply.header('cache-control', 'no-store').send(presentIntent(token, intent, settings.publicUrl))
    },
  })

  app.route({
    // Streams end by themselves; a poll is one or two statements, which have deadlines of their own.
    ...on(getIntentStatus, { deadlineMs: 0 }),
    exposeHeadRoute: false,
    async handler(request, reply) {
      const { token } = request.params
      const caller = callerOf(request)
      if (wantsStream(request.headers.accept)) return await streaming(request, reply, token, caller)
      const status = await readStatus(own, token, caller)
      reply.header('cache-control', 'no-store').header('vary', 'accept')
      if (status.state === 'pending') return { state: 'pending' as const }
      return { state: 'authenticated' as const, session_token: status.sessionToken }
    },
  })

  app.route({
    ...on(getIntentStatus),
    method: 'HEAD',
    async handler(request, reply) {
      await checkStatus(own, request.params.token, callerOf(request))
      return reply
        .header('cache-control', 'no-store')
        .header('vary', 'accept')
        .type('application/json')
        .send(undefined as never)
    },
  })

  app.route({
    ...on(getIntentRequest),
    async handler(request, reply) {
      await authentication.requirePerson(request)
      const { token } = request.params
      const intent = await find(token)
      const refused = refusal(intent, clock.now())
      if (refused !== undefined || intent === undefined) throw refused ?? new Problem('intent_not_found')
      if (intent.linkedAt !== null) throw new Problem('intent_already_linked')
      reply.header('cache-control', 'no-store')
      return presentRequest(token, intent, originOf(request).network)
    },
  })
}

function tokenHashOf(token: string): Buffer {
  const hash = intentTokenHash(token)
  if (hash === undefined) throw new TypeError('createSecret did not give 256 bits as base64url')
  return hash
}

function presentRequest(token: string, intent: StoredIntent, approverNetwork: string) {
  const { network, userAgent } = intent.requestedFrom
  return {
    label: intent.label,
    requested_from: {
      network,
      device: deviceOf(userAgent),
      site: siteOf(userAgent) ?? null,
      is_your_network: networkPrefix(network) === networkPrefix(approverNetwork),
    },
    created_at: intent.createdAt.toISOString(),
    expires_at: intent.expiresAt.toISOString(),
    max_age: intent.maxAgeSeconds,
    confirmation_code: confirmationCode(token),
    is_watched_by_others: intent.isWatchedByOthers,
  }
}

/** A list of types with weights; whoever names the event stream wants it. */
function wantsStream(accept: string | undefined): boolean {
  return (acceptWeights(accept).get('text/event-stream') ?? 0) > 0
}
