import { beginLogin, checkLogin, LoginError, waitForLogin } from '@patchbay/client'
import type { Account } from './account.ts'
import { Ending, EXIT } from './ending.ts'
import { describeSession, keepSession } from './keep-session.ts'
import { takePendingLogin } from './pending.ts'
import { defaultLabel, type SignInOptions } from './sign-in.ts'
import { reasonIn, timeInWords } from './words.ts'

/** `patchbay login --begin`: prints what to show to a person, keeps the rest, and does not wait. */
export async function beginSignIn(account: Account, options: SignInOptions): Promise<void> {
  const { server, signal, userAgent, surroundings } = account
  await account.credentials.find(server)
  const { label = defaultLabel(account), maxAge } = options
  const pending = await beginLogin({ baseUrl: server, label, maxAge, signal, userAgent })
  await account.pendingLogins.store(server, pending)
  const { authUrl: auth_url, confirmationCode: confirmation_code, expiresAt: expires_at } = pending
  surroundings.print(JSON.stringify({ auth_url, confirmation_code, expires_at }, null, 2))
}

/** `patchbay login --check`: picks up what `--begin` has begun. */
export async function checkSignIn(account: Account, waitSeconds: number): Promise<void> {
  const { server, advise, surroundings } = account
  const pending = await account.pendingLogins.find(server)
  if (pending === undefined)
    throw new Ending(
      EXIT.failed,
      `No login waits for ${server}.\nRun ${advise('login --begin')} to begin one.`,
    )
  // A damaged file is found out before the session is picked up.
  await account.credentials.find(server)
  const sessionToken = await waitFor(account, pending, waitSeconds).catch(async (error: unknown) => {
    // The next --check should say that there is nothing to wait for.
    if (error instanceof LoginError && isSettled(error)) await takePendingLogin(account, pending)
    throw passing(error, account) ?? error
  })
  if (sessionToken === undefined)
    throw new Ending(
      EXIT.notYet,
      `Not approved yet. The link works until ${timeInWords(pending.expiresAt)}.\nRun ${advise('login --check')} again, with --wait to wait.`,
    )
  if (await takePendingLogin(account, pending)) surroundings.print(await keepSession(account, sessionToken))
  else surroundings.print(await completedElsewhere(account, sessionToken))
}

/** Asking again would be answered the same. */
function isSettled({ code, problem }: LoginError): boolean {
  if (problem === 'intent_not_found' || problem === 'intent_session_ended') return true
  return code === 'expired' || code === 'declined' || code === 'consumed'
}

/** What may be gone the next time: the login still waits. */
function passing(error: unknown, { server, advise }: Account): Ending | undefined {
  if (!(error instanceof LoginError)) return undefined
  const again = `The login still waits: run ${advise('login --check')} again in a minute.`
  if (error.problem === 'rate_limited')
    return new Ending(EXIT.notYet, `${server} was asked too often from here.\n${again}`)
  if (error.code !== 'unreachable') return undefined
  return new Ending(
    EXIT.notYet,
    `${server} cannot be reached right now: ${reasonIn(error.message)}.\n${again}`,
  )
}

/** The server tells the session to every process that has the verifier; the one that took the login stores it. */
async function completedElsewhere(account: Account, sessionToken: string): Promise<string> {
  return `Another process has completed this login. ${await describeSession(account, sessionToken)}`
}

/** As long as a link lives. */
const LONGEST_WAIT_SECONDS = 900

type Pending = Parameters<typeof waitForLogin>[0]

/** `undefined` when the person has not decided within the time. */
async function waitFor(account: Account, pending: Pending, seconds: number): Promise<string | undefined> {
  const { userAgent } = account
  if (seconds === 0) {
    const status = await checkLogin(pending, { signal: account.signal, userAgent })
    return status.state === 'pending' ? undefined : status.sessionToken
  }
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), Math.min(seconds, LONGEST_WAIT_SECONDS) * 1000)
  try {
    const signal = AbortSignal.any([account.signal, patience.signal])
    return (await waitForLogin(pending, { signal, userAgent })).sessionToken
  } catch (error) {
    const isLate = patience.signal.aborted && !account.signal.aborted
    if (isLate && error instanceof LoginError && error.code === 'aborted') return undefined
    throw error
  } finally {
    clearTimeout(timer)
  }
}
