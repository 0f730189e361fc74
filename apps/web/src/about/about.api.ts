import { type CallResult, call, getAbout } from '@patchbay/contracts'

export type About = CallResult<typeof getAbout>['body']

const DEADLINE_MS = 5000

/** Which installation this is. Throws what `call` throws, and a TimeoutError after five seconds. */
export async function fetchAbout(signal: AbortSignal): Promise<About> {
  const { body } = await call(
    getAbout,
    {},
    { baseUrl: location.origin, signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]) },
  )
  return body
}
