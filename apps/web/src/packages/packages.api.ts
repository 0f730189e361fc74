import type { CallResult } from '@patchbay/contracts/core'
import { getOrganizations, getTrustedPublishers, type MemberRole } from '@patchbay/contracts/identity'
import {
  getFeeds,
  getOwnedPackages,
  getPackagePage,
  getPackageSearch,
  getRegistryAudit,
  type PackagePage,
  type SearchQuery,
} from '@patchbay/contracts/registry'
import { ask } from '../server/server.api.ts'
import type { FeedOffer } from './feeds.ts'

export type OwnedPackage = CallResult<typeof getOwnedPackages>['body']['items'][number]

const RESULTS_PER_PAGE = 24

const until = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal })
const from = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor })

export const searchPackages = async (query: SearchQuery, signal?: AbortSignal, cursor?: string) =>
  (
    await ask(
      getPackageSearch,
      { query: { ...query, ...from(cursor), limit: RESULTS_PER_PAGE } },
      until(signal),
    )
  ).body

export const fetchPackage = async (identifier: string, signal: AbortSignal): Promise<PackagePage> =>
  (await ask(getPackagePage, { params: { identifier } }, { signal })).body

export const fetchFeedOffer = async (signal: AbortSignal): Promise<FeedOffer> =>
  (await ask(getFeeds, {}, { signal })).body

export const fetchOwnedPackages = async (owner: string, signal?: AbortSignal, cursor?: string) =>
  (await ask(getOwnedPackages, { params: { owner }, query: from(cursor) }, until(signal))).body

export const fetchAudit = async (owner: string, signal?: AbortSignal, cursor?: string) =>
  (await ask(getRegistryAudit, { params: { owner }, query: { ...from(cursor), limit: 10 } }, until(signal)))
    .body

export const fetchTrustedPublishers = async (owner: string, signal: AbortSignal) =>
  (await ask(getTrustedPublishers, { query: { owner } }, { signal })).body

/** The role of the signed-in person in an organization; undefined where they have none. */
export const fetchRoleIn = async (
  organization: string,
  signal: AbortSignal,
): Promise<MemberRole | undefined> => {
  const { body } = await ask(getOrganizations, {}, { signal })
  return body.items.find(({ handle }) => handle === organization)?.role
}
