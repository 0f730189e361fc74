import type { CallResult } from '@patchbay/contracts/core'
import {
  getApiKeys,
  getMembers,
  getOrganizations,
  getPasskeys,
  getSessions,
} from '@patchbay/contracts/identity'
import { ask } from '../../server/server.api.ts'

export type Member = CallResult<typeof getMembers>['body']['items'][number]

export const fetchPasskeys = async (signal: AbortSignal) => (await ask(getPasskeys, {}, { signal })).body

export const fetchApiKeys = async (signal: AbortSignal) => (await ask(getApiKeys, {}, { signal })).body

export const fetchOrganizations = async (signal: AbortSignal) =>
  (await ask(getOrganizations, {}, { signal })).body

export const fetchMembers = async (handle: string, signal: AbortSignal) =>
  (await ask(getMembers, { params: { handle } }, { signal })).body

export const fetchSessions = async (signal?: AbortSignal, cursor?: string) =>
  (
    await ask(
      getSessions,
      { query: cursor === undefined ? {} : { cursor } },
      signal === undefined ? {} : { signal },
    )
  ).body
