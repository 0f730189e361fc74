export { Credentials, CredentialsFault, readCredentials } from './credentials.ts'
