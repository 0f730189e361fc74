import { EXIT } from '../account/ending.ts'
import { Refusal } from './refusal.ts'

/** What `fetch` throws hides the reason one level down. `who`: the address that was asked, where it is known. */
export function networkRefusal(error: unknown, who = 'The server'): Refusal | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.name === 'TimeoutError')
    return new Refusal(EXIT.unavailable, 'timeout', `${who} did not answer in time.\nTry again later.`)
  if (!(error instanceof TypeError) || !/fetch failed|terminated/.test(error.message)) return undefined
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException
  return new Refusal(
    EXIT.unavailable,
    'unreachable',
    `${who} cannot be reached right now: the connection failed${code === undefined ? '' : ` (${code})`}.\nIs it running? Name another one with --server or PATCHBAY_SERVER_URL.`,
  )
}
