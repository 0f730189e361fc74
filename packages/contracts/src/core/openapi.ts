import type { TSchema } from 'typebox'
import { type EndpointSpec, isMediaResponse, type MediaResponse } from './endpoint.ts'
import { PROBLEM_CONTENT_TYPE, PROBLEMS, type ProblemCode } from './problems.ts'

export interface ApiInfo {
  readonly title: string
  readonly version: string
  readonly description: string
}

/** The OpenAPI 3.1 document of a set of endpoints. */
export function openApiDocument(endpoints: readonly EndpointSpec[], info: ApiInfo): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path] ??= {})
    path[endpoint.method.toLowerCase()] = operation(endpoint)
  }
  return {
    openapi: '3.1.0',
    info,
    tags: [...new Set(endpoints.map((endpoint) => endpoint.tag))].map((name) => ({ name })),
    paths,
    components: { schemas: { Problem: PROBLEM_SCHEMA } },
  }
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: ApiInfo
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: unknown
  readonly description?: string
}

type Content = Readonly<Record<string, { readonly schema: unknown }>>

const PROBLEM_SCHEMA = {
  type: 'object',
  required: ['type', 'title', 'status', 'code'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', enum: Object.keys(PROBLEMS) },
    detail: { type: 'string' },
  },
} as const

function operation(endpoint: EndpointSpec): Operation {
  const parameters = [
    ...parametersIn('path', endpoint.params),
    ...parametersIn('query', endpoint.query),
    ...parametersIn('header', endpoint.headers),
  ]
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    tags: [endpoint.tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === undefined
      ? {}
      : {
          requestBody: {
            required: endpoint.bodyIsOptional !== true,
            content: { 'application/json': { schema: endpoint.body } },
          },
        }),
    ...(endpoint.upload === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { [endpoint.upload.mediaType]: { schema: { type: 'string', format: 'binary' } } },
          },
        }),
    responses: { ...successes(endpoint), ...refusals(endpoint) },
  }
}

function parametersIn(place: Parameter['in'], schema: TSchema | undefined): Parameter[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, { description?: string }>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
    ...(property.description === undefined ? {} : { description: property.description }),
  }))
}

function successes(endpoint: EndpointSpec): Operation['responses'] {
  return Object.fromEntries(
    Object.entries(endpoint.responses).map(([status, response]) => [status, describe(response)]),
  )
}

function describe(response: TSchema | MediaResponse | null): { description: string; content?: Content } {
  if (response === null) return { description: 'No content' }
  if (isMediaResponse(response)) {
    return {
      description: response.description,
      content: { [response.mediaType]: { schema: { type: 'string' } } },
    }
  }
  const { description = 'Success' } = response as { description?: string }
  return { description, content: { 'application/json': { schema: response } } }
}

/** Several problems can share a status; their codes are listed together. */
function refusals(endpoint: EndpointSpec): Operation['responses'] {
  const { params, query, headers, body, problems = [] } = endpoint
  const takesInput = [params, query, headers, body].some((part) => part !== undefined)
  const codes = new Set<ProblemCode>([
    ...problems,
    ...(takesInput ? ['invalid_request' as const] : []),
    'internal_error',
  ])
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of codes) {
    const { status } = PROBLEMS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      {
        description: group.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join('; '),
        content: { [PROBLEM_CONTENT_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}
