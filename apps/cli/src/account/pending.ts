import { CredentialsFault } from '@patchbay/client/credentials'
import type { Account } from './account.ts'

type Pending = NonNullable<Awaited<ReturnType<Account['pendingLogins']['find']>>>

/** After a login or a logout nothing waits anymore. What was asked for is done by then, so this only mentions its failure. */
export async function forgetPendingLogin(account: Account): Promise<void> {
  await mention(account, async () => await account.pendingLogins.remove(account.server))
}

/** False: another process has taken this login, or it has made way for a newer one. */
export async function takePendingLogin(account: Account, { token }: Pending): Promise<boolean> {
  const take = async () => await account.pendingLogins.take(account.server, (entry) => entry.token === token)
  let isOurs = false
  const isKnown = await mention(account, async () => {
    isOurs = (await take()) !== undefined
  })
  // A file that has become unusable keeps nobody from the session that they were given.
  return isOurs || !isKnown
}

async function mention({ surroundings }: Account, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof CredentialsFault)) throw error
    surroundings.printError(`Logins that were begun could not be cleared up: ${error.message}.`)
    return false
  }
}
