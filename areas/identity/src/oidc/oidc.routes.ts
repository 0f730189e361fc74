import { Problem, type ProblemCode } from '@patchbay/contracts/core'
import { getOidcCallback, getOidcStart } from '@patchbay/contracts/identity'
import { asProblem, type HttpApp, on } from '@patchbay/kernel/http'
import type { FastifyReply } from 'fastify'
import { beginCeremony, endCeremonyCookie, takeCeremony } from '../accounts/ceremony.store.ts'
import { invitationReference } from '../accounts/invitation.store.ts'
import { PUBLIC_RATE } from '../accounts/public-rate.ts'
import { safeReturnTo } from '../accounts/return-to.ts'
import type { IdentityDeps, IssuerSettings } from '../deps.ts'
import { isSecret } from '../secrets.ts'
import type { Authentication } from '../sessions/authentication.store.ts'
import { beginBrowserSession, browserTokenHash } from '../sessions/browser-session.store.ts'
import { authorizationAddress, exchangeCode } from './exchange.io.ts'
import { findPersonByIdentity } from './external-identity.store.ts'
import { createIssuerClients } from './issuer-clients.io.ts'
import { asIssuerProblem, reasonOf } from './issuer-failure.ts'
import { beginSignUp } from './oidc-sign-up.store.ts'

/** Nothing of a sign-in is kept by caches, or told to the page it leads to. */
const REDIRECT_HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } as const

const SIGN_UP_PAGE = '/sign-up'

/** With where the person was going, so that a second try ends there too. */
function problemPage(code: ProblemCode, returnTo: string): string {
  const query = new URLSearchParams({ problem: code })
  if (returnTo !== '/') query.set('return_to', returnTo)
  return `/sign-in?${query.toString()}`
}

/** Longer than the calls to the issuer that a route makes, each with a deadline of its own. */
const START_DEADLINE_MS = 15_000
const CALLBACK_DEADLINE_MS = 45_000

interface Answer {
  readonly location: string
  readonly cookies: readonly string[]
}

export function registerOidc(app: HttpApp, deps: IdentityDeps, _authentication: Authentication): void {
  const { db, clock, createSecret, settings, log } = deps
  const clientFor = createIssuerClients(deps)

  const findIssuer = (id: string): IssuerSettings => {
    const issuer = settings.issuers.find((one) => one.id === id)
    if (issuer === undefined) throw new Problem('not_found')
    return issuer
  }
  const callbackAddress = (issuer: IssuerSettings) => `${settings.publicUrl}/auth/oidc/${issuer.id}/callback`

  /** A browser stands at these addresses, so every failure is a page of ours and none is JSON. */
  const answerFor = async (begin: () => Promise<Answer>, returnTo: () => string): Promise<Answer> => {
    try {
      return await begin()
    } catch (error) {
      const code = error instanceof Problem ? error.code : 'internal_error'
      if (code === 'internal_error') log.error({ err: error }, 'unexpected failure')
      return { location: problemPage(code, returnTo()), cookies: [] }
    }
  }

  /** What the factory refuses before the handler: a malformed address, too many requests. */
  const errorHandler = (error: unknown, _request: unknown, reply: FastifyReply): void => {
    const location = problemPage(asProblem(error).code, '/')
    void reply
      .code(303)
      .headers({ ...REDIRECT_HEADERS, location })
      .send()
  }

  app.route({
    ...on(getOidcStart, { rateLimit: PUBLIC_RATE, deadlineMs: START_DEADLINE_MS }),
    errorHandler,
    async handler(request, reply) {
      const { return_to: wanted, invitation } = request.query
      const returnTo = safeReturnTo(wanted ?? '/', settings.publicUrl)
      const begin = async () => {
        const issuer = findIssuer(request.params.issuer)
        const client = await clientFor(issuer)
        const secrets = { state: createSecret(), nonce: createSecret(), verifier: createSecret() }
        const location = await authorizationAddress(client, callbackAddress(issuer), secrets)
        const cookie = await beginCeremony(deps, 'oidc', {
          ...secrets,
          issuer: issuer.id,
          returnTo,
          invitation: invitation === undefined ? null : invitationReference(invitation),
          former: browserTokenHash(request.headers)?.toString('base64url') ?? null,
        })
        return { location, cookies: [cookie] }
      }
      const { location, cookies } = await answerFor(begin, () => returnTo)
      return reply
        .code(303)
        .headers({ ...REDIRECT_HEADERS, location, 'set-cookie': [...cookies] })
        .send()
    },
  })

  app.route({
    ...on(getOidcCallback, { rateLimit: PUBLIC_RATE, deadlineMs: CALLBACK_DEADLINE_MS }),
    // A HEAD would use the sign-in up.
    exposeHeadRoute: false,
    errorHandler,
    async handler(request, reply) {
      let returnTo = '/'
      let former: string[] = []
      const finish = async () => {
        const issuer = findIssuer(request.params.issuer)
        const callback = new URL(callbackAddress(issuer))
        callback.search = new URL(request.raw.url ?? '/', settings.publicUrl).search
        const state = callback.searchParams.get('state') ?? ''
        if (!isSecret(state)) throw new Problem('ceremony_expired')
        const begun = await takeCeremony(db, 'oidc', request.headers, clock.now(), {
          issuer: issuer.id,
          state,
        })
        if (begun === undefined) throw new Problem('ceremony_expired')
        former = [endCeremonyCookie('oidc')]
        returnTo = safeReturnTo(begun.returnTo, settings.publicUrl)
        const client = await clientFor(issuer)
        const identity = await exchangeCode(client, callback, begun).catch((error: unknown) => {
          log.warn({ issuer: issuer.id, reason: reasonOf(error) }, 'sign-in at issuer failed')
          throw asIssuerProblem(error)
        })
        const personId = await findPersonByIdentity(db, identity)
        // Never attached to the account this browser may be signed in to: a stranger's link could bring it here.
        if (personId === undefined) {
          return { location: SIGN_UP_PAGE, cookies: [await beginSignUp(deps, issuer, identity, begun)] }
        }
        const left = begun.former === null ? undefined : Buffer.from(begun.former, 'base64url')
        const { cookie } = await beginBrowserSession(deps, request, personId, left)
        return { location: returnTo, cookies: [cookie] }
      }
      const { location, cookies } = await answerFor(finish, () => returnTo)
      return reply
        .code(303)
        .headers({ ...REDIRECT_HEADERS, location, 'set-cookie': [...cookies, ...former] })
        .send()
    },
  })
}
