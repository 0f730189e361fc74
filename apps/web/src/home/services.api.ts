import { type CompanionState, getServices } from '@patchbay/contracts/core'
import { ask } from '../server/server.api.ts'

/** Which of the programs beside the server run. */
export async function fetchCompanions(signal: AbortSignal): Promise<readonly CompanionState[]> {
  return (await ask(getServices, {}, { signal })).body.companions
}
