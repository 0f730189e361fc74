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
  type UploadBody,
} from './endpoint.ts'
export { CORE_ENDPOINTS } from './endpoints.ts'
export { HANDLE_PATTERN, handle, quarantineReason, shownText } from './handles.ts'
export {
  type ApiInfo,
  type OpenApiDocument,
  type Operation,
  openApiDocument,
  type Parameter,
} from './openapi.ts'
export {
  PAGE_CSP,
  viewerPolicy,
  WORKSPACE_CSP,
  WORKSPACE_PAGE_PATH,
  WORKSPACE_PERMISSIONS,
} from './page-policy.ts'
export { pageOf, pageQuery } from './paging.ts'
export {
  isProblemCode,
  PROBLEM_CONTENT_TYPE,
  PROBLEMS,
  Problem,
  type ProblemBody,
  type ProblemCode,
  type ProblemOptions,
} from './problems.ts'
export { COMPANIONS, type Companion, type CompanionState, getServices } from './services.ts'
