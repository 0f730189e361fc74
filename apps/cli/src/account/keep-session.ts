import { isEnded, LoginError, logout, whoami } from '@patchbay/client'
import { stripHidden } from '@patchbay/primitives/text'
import type { Account } from './account.ts'
import { Ending, EXIT } from './ending.ts'
import { timeInWords } from './words.ts'

const END_FORMER_WITHIN_MS = 5_000

/** Stores a session that was just obtained, and says whose it is. Once it is stored, the person is signed in. */
export async function keepSession(account: Account, sessionToken: string): Promise<string> {
  const { server, credentials, surroundings } = account
  const login = { server, at: new Date(surroundings.now()).toISOString() }
  // Before anything else that can fail: without it here, nobody could use or end the session.
  const former = await credentials.replace(server, { sessionToken, handle: null, expiresAt: null, login })
  // The same one: another process has stored it already.
  if (former !== undefined && former.sessionToken !== sessionToken)
    await endQuietly(account, former.sessionToken)
  return await describeSession(account, sessionToken)
}

/** Who is signed in now. Only a session that has ended is a failure; what else can go wrong does not undo the login. */
export async function describeSession(account: Account, sessionToken: string): Promise<string> {
  const { server, credentials, advise } = account
  try {
    const { handle, expiresAt } = await whoami({ ...account, baseUrl: server, sessionToken })
    const isSame = (stored: { readonly sessionToken: string } | undefined) =>
      stored?.sessionToken === sessionToken
    const { login } = (await credentials.find(server)) ?? {}
    await credentials.replace(
      server,
      { sessionToken, handle, expiresAt, ...(login !== undefined && { login }) },
      isSame,
    )
    const until = expiresAt === null ? '' : ` until ${timeInWords(expiresAt)}`
    return `Signed in as ${stripHidden(handle)} on ${server}${until}.`
  } catch (error) {
    if (error instanceof LoginError && isEnded(error))
      throw new Ending(
        EXIT.failed,
        `The session on ${server} was ended right after the login.\nRun ${advise('login')} to sign in again.`,
      )
    return `Signed in on ${server}. Run ${advise('whoami')} to see who you are there.`
  }
}

/** The session that the new one takes the place of. Nobody could end it from here anymore, so Ctrl-C does not stop this. */
async function endQuietly(account: Account, sessionToken: string): Promise<void> {
  const signal = AbortSignal.timeout(END_FORMER_WITHIN_MS)
  try {
    await logout({ ...account, baseUrl: account.server, sessionToken, signal })
  } catch (error) {
    if (!(error instanceof LoginError)) throw error
  }
}
