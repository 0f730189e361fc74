export {
  credentialsFolder,
  findLastServer,
  openCredentials,
  openPendingLogins,
  type StoredSession,
} from './credentials.ts'
export { CredentialsFault } from './credentials-fault.ts'
export type { PrivateStore } from './private-store.ts'
