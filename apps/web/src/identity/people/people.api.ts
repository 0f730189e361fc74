import { getPeople } from '@patchbay/contracts/identity'
import { ask } from '../../server/server.api.ts'

export const fetchPeople = async (signal?: AbortSignal, cursor?: string) =>
  (
    await ask(
      getPeople,
      { query: cursor === undefined ? {} : { cursor } },
      signal === undefined ? {} : { signal },
    )
  ).body
