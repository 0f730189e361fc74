import type { Publication } from '@patchbay/contracts/registry'
import type { Site } from '../identity-pages/site.ts'
import { type Account, openSession, pageHeaders } from '../installation/accounts.ts'
import { type ArchiveWish, packArchive } from './archives.ts'

export interface PublishOptions {
  /** The person, unless said otherwise. */
  readonly owner?: string
  readonly visibility?: 'public' | 'private'
}

/** Packs and publishes a version over HTTP, as a script would. */
export async function publish(
  site: Site,
  account: Account,
  wish: ArchiveWish = {},
  { owner = account.handle, visibility = 'public' }: PublishOptions = {},
): Promise<void> {
  const headers = { ...(await headersOf(site, account)), 'content-type': 'application/zip' }
  const body = await packArchive(wish)
  const send = async (expected: number): Promise<void> => {
    const address = `${site.url}/registry/owners/${owner}/packages?visibility=${visibility}`
    const response = await fetch(address, { method: 'POST', headers, body })
    if (response.status !== expected)
      throw new Error(`not published: ${response.status} ${await response.text()}`)
    const { is_indexed } = (await response.json()) as Publication
    // On a busy machine the feeds follow later; the same bytes again change nothing, and wait for them once more.
    if (!is_indexed) await send(200)
  }
  await send(201)
}

/** A person may publish eight at once. */
const AT_ONCE = 6

/** Several at once: what is published together is indexed together. */
export async function publishAll(publications: readonly (() => Promise<void>)[]): Promise<void> {
  for (let first = 0; first < publications.length; first += AT_ONCE)
    await Promise.all(publications.slice(first, first + AT_ONCE).map((each) => each()))
}

export async function delist(site: Site, account: Account, identifier: string): Promise<void> {
  const response = await fetch(`${site.url}/registry/owners/${account.handle}/packages/${identifier}`, {
    method: 'PATCH',
    headers: await headersOf(site, account),
    body: JSON.stringify({ is_listed: false }),
  })
  if (response.status !== 204) throw new Error(`not delisted: ${response.status} ${await response.text()}`)
}

async function headersOf(site: Site, account: Account): Promise<Record<string, string>> {
  return pageHeaders(await openSession(site, account), site.url)
}

export async function makeOrganization(
  { db }: Site,
  handle: string,
  members: readonly { readonly account: Account; readonly role: 'member' | 'maintainer' | 'owner' }[],
): Promise<void> {
  const now = new Date()
  await db.insertInto('handles').values({ handle, kind: 'organization' }).execute()
  const { id } = await db
    .insertInto('organizations')
    .values({ handle, display_name: handle, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('members')
    .values(
      members.map(({ account, role }) => ({
        organization_id: id,
        person_id: account.id,
        role,
        created_at: now,
      })),
    )
    .execute()
}
