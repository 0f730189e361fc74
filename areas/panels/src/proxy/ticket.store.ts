import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { PanelsTables } from '../tables.ts'
import { hashToken, TICKETS_PER_PERSON, type TicketShows } from './ticket.ts'

export interface NewTicket extends WorkspaceRef {
  readonly token: string
  readonly tabId: string
  readonly personId: string
  readonly expiresAt: Date
  readonly sessionId: string
  /** Of the client that asked for it. */
  readonly network: string
  /** The host inside the installation's network that the person went to; none for a page of the web. */
  readonly openedHost: string | null
  readonly shows: TicketShows
}

/** The lock is the person's: without it, tickets made at once would not see each other and be too many. */
export async function keepTicket(db: Db<PanelsTables>, ticket: NewTicket): Promise<void> {
  const { owner, repo, token, tabId, personId, expiresAt, sessionId, network, openedHost, shows } = ticket
  await inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`proxy tickets of ${personId}`}, 0))`.execute(
      tx,
    )
    await tx
      .insertInto('proxy_tickets')
      .values({
        token_hash: hashToken(token),
        owner,
        repo,
        tab_id: tabId,
        person_id: personId,
        session_id: sessionId,
        network,
        opened_host: openedHost,
        shows,
        expires_at: expiresAt,
      })
      .execute()
    // The older ones of a tab go before the newest of any other: that one may be in use.
    await sql`
      delete from proxy_tickets where token_hash in (
        select token_hash from proxy_tickets where person_id = ${personId}
        order by row_number() over (partition by session_id, tab_id order by expires_at desc, token_hash),
          expires_at desc, token_hash
        offset ${TICKETS_PER_PERSON})`.execute(tx)
  })
}

export type Ticket = Omit<NewTicket, 'token' | 'tabId' | 'expiresAt' | 'shows'>

/** The ticket of this token; `undefined` once it is over, or if it is for something else. */
export async function findTicket(
  db: Db<PanelsTables>,
  token: string,
  shows: TicketShows,
  now: Date,
): Promise<Ticket | undefined> {
  return await db
    .selectFrom('proxy_tickets')
    .select(['owner', 'repo', 'person_id as personId', 'session_id as sessionId'])
    .select(['network', 'opened_host as openedHost'])
    .where('token_hash', '=', hashToken(token))
    .where('shows', '=', shows)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}
