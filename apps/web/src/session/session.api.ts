import { getSession, type Person } from '@patchbay/contracts/identity'
import { ask } from '../server/server.api.ts'

export interface KnownSession {
  readonly person: Person | null
  readonly csrfToken: string | null
  readonly newApplicationSessions: number
}

/** Who is signed in with this browser, if anybody. */
export async function fetchSession(): Promise<KnownSession> {
  const { body } = await ask(getSession, {})
  return {
    person: body.person,
    csrfToken: body.csrf_token,
    newApplicationSessions: body.new_application_sessions,
  }
}
