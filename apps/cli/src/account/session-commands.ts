import { isEnded, LoginError, logout, whoami } from '@patchbay/client'
import { stripHidden } from '@patchbay/primitives/text'
import type { Account } from './account.ts'
import { Ending, EXIT } from './ending.ts'
import { forgetPendingLogin } from './pending.ts'
import { timeInWords } from './words.ts'

/** `patchbay whoami`. */
export async function showWhoami(account: Account, asJson: boolean): Promise<void> {
  const { server, credentials, advise, surroundings } = account
  const stored = await credentials.find(server)
  if (stored === undefined)
    throw new Ending(EXIT.failed, `You are not signed in to ${server}.\nRun ${advise('login')} to sign in.`)
  const { sessionToken } = stored
  try {
    const { handle, displayName, isAdmin, kind, label, expiresAt } = await whoami({
      ...account,
      baseUrl: server,
      sessionToken,
    })
    const json = {
      server,
      handle,
      display_name: displayName,
      is_admin: isAdmin,
      kind,
      label,
      expires_at: expiresAt,
    }
    const name = displayName === handle ? '' : ` (${stripHidden(displayName)})`
    const role = isAdmin ? ', an administrator' : ''
    const until = expiresAt === null ? '' : ` until ${timeInWords(expiresAt)}`
    const words = `You are ${stripHidden(handle)}${name}${role}, signed in to ${server}${until}.`
    surroundings.print(asJson ? JSON.stringify(json, null, 2) : words)
  } catch (error) {
    if (error instanceof LoginError && isEnded(error))
      throw new Ending(
        EXIT.failed,
        `Your session on ${server} has ended.\nRun ${advise('login')} to sign in again.`,
      )
    throw error
  }
}

/** `patchbay logout`: on the server first, so that a session which could not be ended is not forgotten. */
export async function signOut(account: Account, isForced: boolean): Promise<void> {
  const { server, credentials, advise, surroundings } = account
  const stored = await credentials.find(server)
  if (stored === undefined) {
    surroundings.print(`You were not signed in to ${server}.`)
    await forgetPendingLogin(account)
    return
  }
  let said = `Signed out of ${server}.`
  const { sessionToken } = stored
  try {
    const hadSession = await logout({ ...account, baseUrl: server, sessionToken })
    if (!hadSession) said = `Signed out of ${server}. The session had ended already.`
  } catch (error) {
    if (!(error instanceof LoginError) || error.code === 'aborted') throw error
    if (!isForced)
      throw new Ending(
        EXIT.unavailable,
        `${server} could not be asked to end the session, so you are still signed in.\nTry again later, or run ${advise('logout --force')} to forget the session here all the same.`,
      )
    const until = stored.expiresAt === null ? '' : ` until ${timeInWords(stored.expiresAt)}`
    said = `The session is forgotten here, but ${server} could not be asked to end it: it stays valid there${until}.\nEnd it in your account once the server can be reached.`
  }
  // Only this one: another process may have signed in meanwhile.
  await credentials.take(server, (entry) => entry.sessionToken === sessionToken)
  surroundings.print(said)
  await forgetPendingLogin(account)
}
