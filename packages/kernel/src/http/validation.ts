import type { EndpointSpec } from '@patchbay/contracts/core'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import type { HttpApp } from './http-app.ts'
import type { RouteFromEndpoint } from './route.ts'

// ajv-formats is CommonJS; its callable sits on `default` under Node's module rules.
const withFormats = addFormats as unknown as (ajv: Ajv) => Ajv

/**
 * Made when it is asked for, once for an object. Compiling the schemas of all routes was a fifth of what tests that start
 * servers cost the processor, and most of them are used much later or by nobody.
 */
function onceForEach<Made>(make: (schema: object) => Made): (schema: object) => Made {
  const made = new WeakMap<object, Made>()
  return (schema) => {
    const known = made.get(schema)
    if (known !== undefined) return known
    const fresh = make(schema)
    made.set(schema, fresh)
    return fresh
  }
}

// One fault is enough to refuse; collecting all lets a hostile body buy a great deal of work.
const COMMON_OPTIONS = { removeAdditional: false, useDefaults: true, allErrors: false } as const

/**
 * Bodies are validated as they are: the framework's defaults would turn "5" into 5 and drop unknown keys unseen.
 * Query, path and header values are text by nature, so there, and only there, text becomes what the schema asks for.
 */
export const compileBody = compilerWith({ ...COMMON_OPTIONS, coerceTypes: false, discriminator: true }, byTag)
export const compileText = compilerWith({ ...COMMON_OPTIONS, coerceTypes: 'array' })
export const compileAnswer = onceForEach((schema) => fastJsonStringify(schema))

function compilerWith(
  options: ConstructorParameters<typeof Ajv>[0],
  prepare: (schema: object) => object = (schema) => schema,
): (schema: object) => ValidateFunction {
  let ajv: Ajv | undefined
  return onceForEach((schema) => {
    ajv ??= withFormats(new Ajv(options))
    return ajv.compile(prepare(schema))
  })
}

export const schemaCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const compile = httpPart === 'body' ? compileBody : compileText
  const validate: ReturnType<FastifySchemaCompiler<object>> = (value: unknown) => {
    const compiled = compile(schema)
    const isValid = compiled(value)
    // Where the framework looks for what is wrong.
    validate.errors = compiled.errors ?? null
    return isValid
  }
  return validate
}

/** What an endpoint does not declare is not sent. */
export const answerCompiler: FastifySerializerCompiler<object> =
  ({ schema }) =>
  (answer) =>
    compileAnswer(schema)(answer)

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
