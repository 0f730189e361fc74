import type { CallResult } from '@patchbay/contracts/core'
import { getIntentRequest } from '@patchbay/contracts/identity'
import { ask } from '../../server/server.api.ts'

export interface IntentRequest {
  readonly request: CallResult<typeof getIntentRequest>['body']
  /** On `performance.now()`: the clock of this computer may be wrong by more than an intent lives. */
  readonly endsAt: number
}

/** Who asks for a session. Only told to people who are signed in. */
export async function fetchRequest(token: string, signal?: AbortSignal): Promise<IntentRequest> {
  const { body, headers } = await ask(
    getIntentRequest,
    { params: { token } },
    signal === undefined ? {} : { signal },
  )
  const serverNow = Date.parse(headers.get('date') ?? '')
  const left = Date.parse(body.expires_at) - (Number.isNaN(serverNow) ? Date.now() : serverNow)
  return { request: body, endsAt: performance.now() + left }
}
