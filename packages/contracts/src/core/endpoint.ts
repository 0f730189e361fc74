import type { Static, TSchema } from 'typebox'
import type { ProblemCode } from './problems.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An answer that is not JSON: its schema lives in its media type. */
export interface MediaResponse {
  readonly mediaType: string
  readonly description: string
}

export interface EndpointSpec {
  readonly method: Method
  /** With parameters in braces, as OpenAPI writes them: `/auth/intents/{token}`. */
  readonly path: `/${string}`
  /** Unique; names the operation in OpenAPI and in generated clients. */
  readonly name: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly params?: TSchema
  readonly query?: TSchema
  readonly headers?: TSchema
  readonly body?: TSchema
  /** A body that is not JSON: it is streamed, and its schema lives in its media type. */
  readonly upload?: MediaResponse
  /** A request without a body is taken for an empty object. */
  readonly bodyIsOptional?: true
  /** By status. `null` is an answer without a body. */
  readonly responses: Readonly<Record<number, TSchema | MediaResponse | null>>
  /** Pages of any origin may call it and read the answer; they show no credential. */
  readonly cors?: 'public'
  /** The refusals a client should expect beyond those that any address can give. */
  readonly problems?: readonly ProblemCode[]
}

/**
 * Describes one address once. Server routes, the OpenAPI document and typed client calls are all derived from
 * the returned value, so a wire shape is never written twice.
 */
export function endpoint<const Spec extends EndpointSpec>(spec: Spec): Spec {
  return spec
}

export function isMediaResponse(response: TSchema | MediaResponse | null): response is MediaResponse {
  return response !== null && 'mediaType' in response
}

/** The names in braces, in order. */
export function pathParameters(path: string): string[] {
  return Array.from(path.matchAll(/\{([^}]+)\}/g), (match) => match[1] ?? '')
}

type Part<Spec, Key extends keyof EndpointSpec> = Spec extends {
  readonly [K in Key]: infer Schema extends TSchema
}
  ? { readonly [K in Key]: Static<Schema> }
  : unknown

/** The bytes themselves, a file of a browser, or a stream of bytes. */
export type UploadBody = Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>

/** What a caller passes: just the parts that the endpoint declares. */
export type CallInput<Spec extends EndpointSpec> = Part<Spec, 'params'> &
  Part<Spec, 'query'> &
  Part<Spec, 'headers'> &
  (Spec extends { readonly upload: MediaResponse } ? { readonly upload: UploadBody } : unknown) &
  (Spec extends { readonly bodyIsOptional: true } ? Partial<Part<Spec, 'body'>> : Part<Spec, 'body'>)

type Body<Response> = Response extends null
  ? undefined
  : Response extends MediaResponse
    ? string
    : Response extends TSchema
      ? Static<Response>
      : never

/** What a caller gets: one member per declared status. */
export type CallResult<Spec extends EndpointSpec> = {
  readonly [Status in keyof Spec['responses']]: {
    readonly status: Status
    readonly headers: Headers
    readonly body: Body<Spec['responses'][Status]>
  }
}[keyof Spec['responses']]
