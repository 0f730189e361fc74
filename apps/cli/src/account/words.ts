import { LoginError, type LoginErrorCode } from '@patchbay/client'
import { CredentialsFault } from '@patchbay/client/credentials'
import type { ProblemCode } from '@patchbay/contracts/core'
import { stripHidden } from '@patchbay/primitives/text'
import { Ending, EXIT } from './ending.ts'

/** `2026-02-13 09:00 UTC`: read the same everywhere. */
export function timeInWords(iso: string): string {
  const time = new Date(iso)
  return Number.isNaN(time.getTime())
    ? stripHidden(iso)
    : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** How a command is written that speaks to the same server as this one. */
export type Advise = (command: string) => string

const PLAIN_IN_A_SHELL = /^[\w.:/[\]-]+$/

/** `server` is that of the option: a default and the environment are the same the next time. */
export function adviceFor(server: string | undefined): Advise {
  if (server === undefined) return (command) => `"patchbay ${command}"`
  const address = PLAIN_IN_A_SHELL.test(server) ? server : `'${server.replaceAll("'", '%27')}'`
  return (command) => `"patchbay ${command} --server ${address}"`
}

/** Every failure as a sentence, and what to do about it. */
export function endingOf(error: unknown, server: string, advise: Advise): Ending {
  if (error instanceof Ending) return error
  if (error instanceof LoginError) return endingOfLogin(error, server, advise)
  if (error instanceof CredentialsFault)
    return new Ending(EXIT.failed, `${error.message}.\n${cure(error, advise)}`)
  const what = error instanceof Error ? error.message : String(error)
  return new Ending(
    EXIT.bug,
    `Something went wrong that should not have: ${stripHidden(what)}\nPlease report it.`,
  )
}

const ELSEWHERE = 'name another one with --server or PATCHBAY_SERVER_URL.'

type Words = (server: string, reason: string, again: string) => string

const LOGIN_WORDS: Readonly<Record<LoginErrorCode, readonly [exitCode: number, words: Words]>> = {
  expired: [
    EXIT.failed,
    (_server, _reason, again) => `Nobody approved in time, and the link no longer works.\n${again}`,
  ],
  declined: [EXIT.failed, (_server, _reason, again) => `The login was declined in the browser.\n${again}`],
  consumed: [
    EXIT.failed,
    (server, _reason, again) =>
      `Another program has picked up the session of this login.\nIf you do not know it, end that session in your account at ${server}. ${again}`,
  ],
  aborted: [EXIT.interrupted, () => 'Stopped. Nothing was changed.'],
  unreachable: [
    EXIT.unavailable,
    (server, reason) =>
      `${server} cannot be reached right now: ${reason}.\nIs the server running? If it is elsewhere, ${ELSEWHERE}`,
  ],
  unexpected: [
    EXIT.unavailable,
    (server, reason) =>
      `Something answers at ${server}, but not as Patchbay does: ${reason}.\nCheck the address, or ${ELSEWHERE}`,
  ],
  refused: [
    EXIT.failed,
    (server, reason) => `${server} refused: ${reason}.\nCheck the address, or ${ELSEWHERE}`,
  ],
}

/** Refusals that a person can do something about. */
const REFUSALS: Partial<Record<ProblemCode, (server: string, again: string) => string>> = {
  rate_limited: (server) => `${server} was asked too often from here.\nWait a minute and try again.`,
  intent_not_found: (server, again) => `${server} does not know this login, or not anymore.\n${again}`,
  intent_session_ended: (_server, again) =>
    `The session of this login was ended before it was picked up.\n${again}`,
  invalid_request: (server) =>
    `${server} did not accept the request.\nCheck --label (80 plain characters at most) and --max-age.`,
}

function endingOfLogin({ code, problem, message }: LoginError, server: string, advise: Advise): Ending {
  const again = `Run ${advise('login')} to try again.`
  const [exitCode, words] = LOGIN_WORDS[code]
  const special = code === 'refused' && problem !== undefined ? REFUSALS[problem] : undefined
  return new Ending(exitCode, special?.(server, again) ?? words(server, reasonIn(message), again))
}

/** What stands behind the colon of the library's message. */
export function reasonIn(message: string): string {
  const at = message.indexOf(': ')
  return at === -1 ? message : message.slice(at + 2)
}

function cure({ path, wrong }: CredentialsFault, advise: Advise): string {
  if (wrong.startsWith('can be read by other'))
    return `Somebody may have used your session. Run "chmod 600 ${path}", then ${advise('logout')} and ${advise('login')}.`
  if (wrong.includes('another process')) return 'Try again in a moment.'
  return `Move it away and run ${advise('login')} again.`
}
