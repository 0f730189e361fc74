import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { checkPending, type PendingLogin } from '../login/pending-login.ts'
import { environmentOfProcess, type Surroundings, systemSurroundings } from '../surroundings.ts'
import { PrivateStore } from './private-store.ts'

/** A session as it is kept. */
export interface StoredSession {
  readonly sessionToken: string
  /** Whose it was when it was stored. */
  readonly handle: string | null
  readonly expiresAt: string | null
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

function storedSessionOf(value: unknown): StoredSession | undefined {
  const { sessionToken, handle, expiresAt } = Object(value) as Record<string, unknown>
  if (typeof sessionToken !== 'string' || sessionToken === '') return undefined
  return {
    sessionToken,
    handle: typeof handle === 'string' ? handle : null,
    expiresAt: typeof expiresAt === 'string' ? expiresAt : null,
  }
}

function pendingLoginIn(value: unknown): PendingLogin | undefined {
  try {
    return checkPending(value)
  } catch {
    return undefined
  }
}
