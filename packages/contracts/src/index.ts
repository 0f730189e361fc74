export { getAbout } from './about.ts'
export { address, type CallOptions, call, UnexpectedResponse } from './call.ts'
export { CLOSE_CODES, type CloseCodeName, closeCodeName, isCloseCodeName } from './close-codes.ts'
export {
  type CallInput,
  type CallResult,
  type EndpointSpec,
  endpoint,
  isMediaResponse,
  type MediaResponse,
  type Method,
  pathParameters,
} from './endpoint.ts'
export { DEFAULT_PORTS, LIMITS } from './limits.ts'
export {
  type ApiInfo,
  type OpenApiDocument,
  type Operation,
  openApiDocument,
  type Parameter,
} from './openapi.ts'
export { PAGE_CSP } from './page-policy.ts'
export {
  isProblemCode,
  PROBLEM_CONTENT_TYPE,
  PROBLEMS,
  Problem,
  type ProblemBody,
  type ProblemCode,
  type ProblemOptions,
} from './problems.ts'
