import { Problem } from '@patchbay/contracts/core'
import type { RegistryDeps } from '../deps.ts'
import { asSourceProblem } from './refusals.ts'

const FETCH_DEADLINE_MS = 4 * 60_000

/** What the server at `url` sends, for as long as it is read. Fails with a problem that blames the right side. */
export async function* fetchArchive(
  { outbound, settings }: Pick<RegistryDeps, 'outbound' | 'settings'>,
  url: string,
): AsyncGenerator<Uint8Array> {
  try {
    await using response = await outbound.open(url, {
      maxBytes: settings.maxArchiveBytes,
      deadlineMs: FETCH_DEADLINE_MS,
    })
    if (response.status !== 200)
      throw new Problem('source_unavailable', { detail: `The server answered ${response.status}.` })
    yield* response.body
  } catch (error) {
    throw asSourceProblem(error)
  }
}
