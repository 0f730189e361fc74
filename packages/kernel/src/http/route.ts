import { type EndpointSpec, isMediaResponse } from '@patchbay/contracts/core'
import type { FastifyRequest, FastifySchema } from 'fastify'
import type { TSchema } from 'typebox'
import type { RateLimitRule } from '../bus/ports/bus.ts'
import { requireUploadType } from './uploads.ts'

/** What a route may ask of the factory beyond its wire shape. */
export interface RouteTraits {
  /** Per client address. Absent: no limit of its own. */
  readonly rateLimit?: RateLimitRule
  /** Browser pages of any origin may call it although it changes state, such as a provider's form post. */
  readonly crossOrigin?: boolean
  /** Overrides the deadline of the factory; 0 for streams, which end by themselves. */
  readonly deadlineMs?: number
  readonly bodyLimit?: number
}

type Or<Candidate, Fallback> = Candidate extends TSchema ? Candidate : Fallback

interface RouteSchema<Spec extends EndpointSpec> {
  readonly params: Or<Spec['params'], undefined>
  readonly querystring: Or<Spec['query'], undefined>
  readonly headers: Or<Spec['headers'], undefined>
  readonly body: Or<Spec['body'], undefined>
  readonly response: {
    readonly [Status in keyof Spec['responses'] as Spec['responses'][Status] extends TSchema
      ? Status
      : never]: Spec['responses'][Status]
  }
}

export interface RouteFromEndpoint<Spec extends EndpointSpec> {
  readonly method: Spec['method']
  readonly url: string
  readonly schema: RouteSchema<Spec>
  readonly config: RouteTraits & { readonly endpoint: EndpointSpec }
  readonly bodyLimit?: number
  readonly preParsing?: typeof requireUploadType
  readonly preValidation?: (request: FastifyRequest, reply: unknown, done: () => void) => void
}

/** The framework's route options for an endpoint: `app.route({ ...on(getThing), handler })`. */
export function on<Spec extends EndpointSpec>(
  endpoint: Spec,
  traits: RouteTraits = {},
): RouteFromEndpoint<Spec> {
  const schema: FastifySchema = {
    ...(endpoint.params === undefined ? {} : { params: endpoint.params }),
    ...(endpoint.query === undefined ? {} : { querystring: endpoint.query }),
    ...(endpoint.headers === undefined ? {} : { headers: endpoint.headers }),
    ...(endpoint.body === undefined ? {} : { body: endpoint.body }),
    response: Object.fromEntries(
      Object.entries(endpoint.responses).filter(
        ([, response]) => response !== null && !isMediaResponse(response),
      ),
    ),
  }
  return {
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{([^}]+)\}/g, ':$1'),
    // The object above has just the parts that the endpoint declares, which its type cannot follow.
    schema: schema as unknown as RouteSchema<Spec>,
    config: { ...traits, endpoint },
    ...(traits.bodyLimit === undefined ? {} : { bodyLimit: traits.bodyLimit }),
    ...(endpoint.upload === undefined ? {} : { preParsing: requireUploadType }),
    ...(endpoint.bodyIsOptional === true ? { preValidation: takeNothingForEmpty } : {}),
  }
}

/** The framework would hold the absence of a body against the schema. */
function takeNothingForEmpty(request: FastifyRequest, _reply: unknown, done: () => void): void {
  request.body ??= {}
  done()
}
