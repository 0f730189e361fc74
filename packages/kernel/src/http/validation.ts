import type { EndpointSpec } from '@patchbay/contracts/core'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import type { HttpApp } from './http-app.ts'
import type { RouteFromEndpoint } from './route.ts'

// ajv-formats is CommonJS; its callable sits on `default` under Node's module rules.
const withFormats = addFormats as unknown as (ajv: Ajv) => Ajv

/**
 * Bodies are validated as they are: the framework's defaults would turn "5" into 5 and drop unknown keys unseen.
 * Query, path and header values are text by nature, so there, and only there, text becomes what the schema asks for.
 */
export function schemaCompiler(): FastifySchemaCompiler<object> {
  // One fault is enough to refuse; collecting all lets a hostile body buy a great deal of work.
  const strict = withFormats(
    new Ajv({
      removeAdditional: false,
      coerceTypes: false,
      useDefaults: true,
      allErrors: false,
      discriminator: true,
    }),
  )
  const coercing = withFormats(
    new Ajv({ removeAdditional: false, coerceTypes: 'array', useDefaults: true, allErrors: false }),
  )
  return ({ schema, httpPart }) =>
    httpPart === 'body' ? strict.compile(byTag(schema)) : coercing.compile(schema)
}

interface UnionSchema {
  readonly anyOf?: readonly { readonly properties?: Readonly<Record<string, { readonly const?: unknown }>> }[]
}

/** Of a union whose members are told apart by one text, the member that is named judges: otherwise all of them complain. */
function byTag(schema: object): object {
  const { anyOf, ...rest } = schema as UnionSchema
  const tag = Object.keys(anyOf?.[0]?.properties ?? {}).find((key) =>
    anyOf?.every(({ properties }) => typeof properties?.[key]?.const === 'string'),
  )
  if (tag === undefined) return schema
  return { ...rest, type: 'object', required: [tag], oneOf: anyOf, discriminator: { propertyName: tag } }
}

/** Clients that always name a content type name one for nothing, too. Where a body may be absent, nothing is absence. */
export function acceptEmptyJson(app: HttpApp): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const { endpoint } =
      body.length > 0
        ? {}
        : (request.routeOptions.config as Partial<RouteFromEndpoint<EndpointSpec>['config']>)
    if (endpoint?.bodyIsOptional === true) done(null, undefined)
    else void parse(request, String(body), done)
  })
}
