import { type CallResult, getAbout } from '@patchbay/contracts/core'
import { ask } from '../server/server.api.ts'

export type About = CallResult<typeof getAbout>['body']

/** Which installation this is. */
export async function fetchAbout(signal: AbortSignal): Promise<About> {
  return (await ask(getAbout, {}, { signal })).body
}
