import { Problem } from '@patchbay/contracts/core'
import {
  CALLBACK_OUTCOMES,
  type CallbackOutcome,
  type DeliveryMode,
  getCallback,
  getCallbackResult,
  getConfirmation,
  postCallback,
  postConfirmation,
} from '@patchbay/contracts/gateway'
import { phraseOf } from '@patchbay/contracts/identity'
import { type HttpApp, on, originIsAllowed } from '@patchbay/kernel/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DeliveryRouter } from './delivery-router.store.ts'
import { findKeptAnswer, flowOf, forgetAnswer, isSameNonce, keepAnswer } from './flow-cookie.ts'
import { errorFrame } from './gateway-frame.ts'
import { confirmPage } from './pages/confirm-page.ts'
import { malformedPage } from './pages/malformed-page.ts'
import { CONFIRM_PAGE_HEADERS, PAGE_RESPONSE_HEADERS } from './pages/page-headers.ts'
import { resultPage } from './pages/result-page.ts'
import { type ProviderAnswer, readProviderAnswer } from './provider-answer.ts'

export interface CallbackDeps {
  readonly router: DeliveryRouter
  readonly delivery: DeliveryMode
  readonly publicUrl: string
  readonly allowedOrigins: readonly string[]
  readonly createNonce: () => string
  readonly count: (outcome: CallbackOutcome | 'malformed' | 'asked') => void
}

const FORM = 'application/x-www-form-urlencoded'
/** Twice what fits into an address. */
const LONGEST_FORM_BYTES = 32 * 1024
/** Nothing of an answer may be stored, or be sent on as a referrer. */
const LEAVE_NO_TRACE = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

/** `/callback` and the pages behind it. */
export async function registerCallback(app: HttpApp, deps: CallbackDeps): Promise<void> {
  const { pathname, protocol } = new URL(deps.publicUrl)
  const base = pathname.replace(/\/$/, '')
  const secure = protocol === 'https:'
  const results = new Map(CALLBACK_OUTCOMES.map((outcome) => [outcome, resultPage(outcome)]))
  const confirmPath = (flow: string) => `${base}/callback/confirm/${flow}`

  const finish = (reply: FastifyReply, outcome: CallbackOutcome) => {
    deps.count(outcome)
    return redirect(reply, `${base}/callback/result/${outcome}`)
  }

  const answer = async (text: string, reply: FastifyReply) => {
    const reading = readProviderAnswer(text)
    if ('malformed' in reading) {
      deps.count('malformed')
      return reply.code(400).headers(PAGE_RESPONSE_HEADERS).send(malformedPage(reading.malformed))
    }
    // An error carries nothing that could be fixed on a stranger, so nobody is asked about it.
    if (deps.delivery === 'direct' || reading.outcome !== 'done')
      return finish(reply, await deps.router.deliver(reading))
    return await ask(text, reading, reply)
  }

  const ask = async (text: string, { state }: ProviderAnswer, reply: FastifyReply) => {
    const path = confirmPath(flowOf(state))
    const cookies = keepAnswer({ nonce: deps.createNonce(), text }, path, secure)
    if (cookies === undefined) {
      deps.count('malformed')
      return reply.code(400).headers(PAGE_RESPONSE_HEADERS).send(malformedPage('too-long'))
    }
    const located = await deps.router.locate(state)
    if ('outcome' in located) return finish(reply, located.outcome)
    deps.count('asked')
    return redirect(reply.header('set-cookie', cookies), path)
  }

  /** The answer that this browser brought for this flow, if it did. */
  const kept = (request: FastifyRequest, flow: string) => {
    const found = findKeptAnswer(request.headers.cookie)
    if (found === undefined) return undefined
    const reading = readProviderAnswer(found.text)
    if ('malformed' in reading || flowOf(reading.state) !== flow) return undefined
    return { nonce: found.nonce, reading }
  }

  await app.register(async (scope: HttpApp) => {
    // Those of the framework take other types, and much longer bodies.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      FORM,
      { parseAs: 'string', bodyLimit: LONGEST_FORM_BYTES },
      (_request, body, done) => done(null, body),
    )

    scope.route({
      ...on(getCallback),
      // A program that only looks at a link must not use it up.
      exposeHeadRoute: false,
      handler: (request, reply) => answer(queryTextOf(request), reply),
    })

    scope.route({
      ...on(postCallback, { crossOrigin: true, bodyLimit: LONGEST_FORM_BYTES }),
      handler: (request, reply) => answer(formTextOf(request), reply),
    })

    scope.route({
      ...on(getConfirmation),
      exposeHeadRoute: false,
      async handler(request, reply) {
        const { flow } = request.params
        const found = kept(request, flow)
        if (found === undefined) return finish(reply, 'unknown-state')
        const introduced = await deps.router.introduce(found.reading.state)
        if ('outcome' in introduced) return finish(reply, introduced.outcome)
        const { provider, label } = introduced.introduction
        const phrase = await phraseOf(found.reading.state)
        const page = confirmPage({ provider, label, phrase, flow, nonce: found.nonce })
        return reply.headers(CONFIRM_PAGE_HEADERS).send(page)
      },
    })

    scope.route({
      // Its own check follows: a page without referrers posts with `Origin: null`.
      ...on(postConfirmation, { crossOrigin: true, bodyLimit: LONGEST_FORM_BYTES }),
      async handler(request, reply) {
        requireOwnPage(request, deps.allowedOrigins)
        const { flow } = request.params
        const form = new URLSearchParams(formTextOf(request))
        const found = kept(request, flow)
        if (found === undefined || !isSameNonce(form.get('nonce'), found.nonce))
          throw new Problem('origin_not_allowed', {
            detail: 'The answer does not come from the page that asked.',
          })
        const { reading } = found
        const accepts = form.get('decision') === 'deliver'
        const frame = accepts ? reading.frame : errorFrame(reading.state, 'declined')
        const outcome = await deps.router.deliver({ ...reading, frame })
        // Nothing was settled: the person can go back and answer again.
        if (outcome === 'gateway-unavailable') return finish(reply, outcome)
        reply.header('set-cookie', forgetAnswer(confirmPath(flow), secure))
        return finish(reply, accepts ? outcome : 'declined')
      },
    })

    scope.route({
      ...on(getCallbackResult),
      handler: (request, reply) =>
        reply.headers(PAGE_RESPONSE_HEADERS).send(results.get(request.params.outcome)),
    })
  })
}

function redirect(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(303).headers(LEAVE_NO_TRACE).header('location', location).send()
}

function queryTextOf(request: FastifyRequest): string {
  const target = request.raw.url ?? ''
  const mark = target.indexOf('?')
  return mark === -1 ? '' : target.slice(mark + 1)
}

function formTextOf(request: FastifyRequest): string {
  return typeof request.body === 'string' ? request.body : ''
}

/** What the browser says about where a post comes from. The nonce decides; this refuses before it is looked at. */
function requireOwnPage({ headers }: FastifyRequest, allowedOrigins: readonly string[]): void {
  const site = headers['sec-fetch-site']
  const foreignSite = site !== undefined && site !== 'same-origin'
  const { origin } = headers
  const foreignOrigin = origin !== undefined && origin !== 'null' && !originIsAllowed(origin, allowedOrigins)
  if (foreignSite || foreignOrigin) throw new Problem('origin_not_allowed')
}
