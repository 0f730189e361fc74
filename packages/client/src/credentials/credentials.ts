import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { checkBaseUrl } from '../base-url.ts'
import { checkPending, type PendingLogin } from '../login/pending-login.ts'
import { environmentOfProcess, type Surroundings, systemSurroundings } from '../surroundings.ts'
import { CredentialsFault } from './credentials-fault.ts'
import { PrivateStore } from './private-store.ts'

/** A session as it is kept. */
export interface StoredSession {
  readonly sessionToken: string
  /** Whose it was when it was stored. */
  readonly handle: string | null
  readonly expiresAt: string | null
  /** Where and when somebody signed in with it: the latest is the server that commands mean unless told. */
  readonly login?: { readonly server: string; readonly at: string }
}

/** `$XDG_CONFIG_HOME/patchbay`, or `~/.config/patchbay`. A relative path is ignored, as the XDG specification has it. */
export function credentialsFolder(environment = environmentOfProcess()): string {
  const { XDG_CONFIG_HOME: configured } = environment
  const base =
    configured !== undefined && isAbsolute(configured)
      ? configured
      : join(environment['HOME'] || homedir(), '.config')
  return join(base, 'patchbay')
}

/** The sessions of this user, by the origin of their installation. */
export function openCredentials(
  folder: string = credentialsFolder(),
  surroundings: Surroundings = systemSurroundings,
): PrivateStore<StoredSession> {
  return new PrivateStore(join(folder, 'credentials.json'), storedSessionOf, surroundings)
}

/** Logins that were begun by one process and are completed by another. */
export function openPendingLogins(
  folder: string = credentialsFolder(),
  surroundings: Surroundings = systemSurroundings,
): PrivateStore<PendingLogin> {
  return new PrivateStore(join(folder, 'pending-logins.json'), pendingLoginIn, surroundings)
}

/** The server of the latest login that is still kept, if there is one. What cannot be read has none. */
export async function findLastServer(credentials: PrivateStore<StoredSession>): Promise<string | undefined> {
  const sessions = await credentials.list().catch((error: unknown) => {
    // Whoever needs the session itself is told what is wrong with the file.
    if (error instanceof CredentialsFault) return []
    throw error
  })
  const logins = sessions.flatMap(({ login }) => (login === undefined ? [] : [login]))
  return logins.toSorted((one, other) => one.at.localeCompare(other.at)).at(-1)?.server
}

function storedSessionOf(value: unknown): StoredSession | undefined {
  const { sessionToken, handle, expiresAt, login } = Object(value) as Record<string, unknown>
  if (typeof sessionToken !== 'string' || sessionToken === '') return undefined
  return {
    sessionToken,
    handle: typeof handle === 'string' ? handle : null,
    expiresAt: typeof expiresAt === 'string' ? expiresAt : null,
    ...loginOf(login),
  }
}

function loginOf(value: unknown): Pick<StoredSession, 'login'> {
  const { server, at } = Object(value) as Record<string, unknown>
  if (typeof server !== 'string' || typeof at !== 'string') return {}
  try {
    return { login: { server: checkBaseUrl(server), at } }
  } catch {
    // Written by hand: it must not lead a session elsewhere.
    return {}
  }
}

function pendingLoginIn(value: unknown): PendingLogin | undefined {
  try {
    return checkPending(value)
  } catch {
    return undefined
  }
}
