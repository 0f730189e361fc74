import { Problem, type ProblemCode } from '@patchbay/contracts/core'

/** The framework's own failures that a client causes, by the framework's code. */
const FRAMEWORK_CODES: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'malformed_request',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_ASYNC_CONSTRAINT: 'malformed_request',
}

interface SchemaFault {
  readonly instancePath: string
  readonly message?: string
  readonly params?: Readonly<Record<string, unknown>>
}

/** What the client is told. An unknown error is our bug: its text may hold anything, so none of it leaves. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code, validation, validationContext } = error as {
    code?: unknown
    validation?: readonly SchemaFault[]
    validationContext?: string
  }
  if (Array.isArray(validation)) return invalidRequest(validation, validationContext ?? 'body')
  // JSON.parse throws a SyntaxError of its own, which the framework passes on with a 400.
  if (error instanceof SyntaxError && (error as { statusCode?: number }).statusCode === 400) {
    return new Problem('malformed_json', { cause: error })
  }
  const known = typeof code === 'string' ? FRAMEWORK_CODES[code] : undefined
  return new Problem(known ?? 'internal_error', { cause: error })
}

function invalidRequest(faults: readonly SchemaFault[], part: string): Problem {
  const errors = faults.map(({ instancePath, message, params }) => ({
    in: part === 'querystring' ? 'query' : part,
    pointer: instancePath + namedKey(params),
    message:
      params?.['tag'] === undefined ? (message ?? 'is not valid') : 'is none of those that are documented',
  }))
  return new Problem('invalid_request', {
    detail: errors.map((fault) => `${fault.in}${fault.pointer} ${fault.message}`).join('; '),
    extensions: { errors },
  })
}

/** Ajv reports a missing or unknown key at its parent; people look for the key itself. */
function namedKey(params: SchemaFault['params']): string {
  const key = params?.['additionalProperty'] ?? params?.['missingProperty'] ?? params?.['tag']
  return typeof key === 'string' ? `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` : ''
}
