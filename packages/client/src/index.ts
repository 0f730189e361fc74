export { checkBaseUrl } from './base-url.ts'
export type { CallerOptions } from './http/request.ts'
export {
  type BeginOptions,
  beginLogin,
  checkLogin,
  type Login,
  type LoginOptions,
  type LoginPrompt,
  login,
  type WaitOptions,
  waitForLogin,
} from './login/login.ts'
export type { PendingLogin } from './login/pending-login.ts'
export type { LoginStatus } from './login/status.ts'
export { LOGIN_ERRORS, LoginError, type LoginErrorCode } from './login-error.ts'
export { isEnded, logout, type SessionOptions, type Whoami, whoami } from './session/session.ts'
export type { Surroundings } from './surroundings.ts'
