import { networkOf } from '@patchbay/kernel/http'
import type { Caller, PanelsAccess, PanelsDeps } from '../deps.ts'
import { findTicket, type Ticket } from './ticket.store.ts'
import { hashToken, type TicketShows } from './ticket.ts'

export interface TicketDeps extends Pick<PanelsDeps, 'db' | 'clock' | 'bus'> {
  readonly access: Pick<PanelsAccess, 'findSession' | 'isAllowed' | 'isInScope'>
}

export interface Holder {
  readonly ticket: Ticket
  readonly person: Caller
}

/** As `networkOf` writes them. */
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|0:0:0:0::\/64)$/

/**
 * Whose ticket this is. A page can read its ticket and pass it on; from another network, or after the session, it is worth
 * nothing.
 */
export async function findHolder(
  { access, db, clock }: TicketDeps,
  token: string,
  shows: TicketShows,
  ip: string,
): Promise<Holder | undefined> {
  const ticket = await findTicket(db, token, shows, clock.now())
  if (ticket === undefined || !isSameNetwork(ticket.network, networkOf(ip))) return undefined
  const person = await access.findSession(ticket.sessionId)
  return person === undefined ? undefined : { ticket, person }
}

/** On one machine a browser takes either of its loopback addresses for either listener. */
function isSameNetwork(one: string, other: string): boolean {
  return one === other || (LOOPBACK.test(one) && LOOPBACK.test(other))
}

export async function isWithinPace(
  { bus }: TicketDeps,
  token: string,
  pace: { readonly max: number; readonly windowMs: number },
): Promise<boolean> {
  const key = `proxy:${hashToken(token).toString('base64url')}`
  return (await bus.rateLimit.hit(key, pace)).allowed
}
