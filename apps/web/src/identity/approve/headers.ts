import type { SheetProps } from '../sheet.tsx'
import type { Approval } from './use-approval.ts'
import { words } from './words.tsx'

type Header = Pick<SheetProps, 'title' | 'lead' | 'plate'>

const { headers } = words

/** The heading of each state, and the first thing to know. */
export const APPROVAL_HEADERS: Record<Approval['state'], Header> = {
  loading: { title: headers.question, plate: 'open' },
  failed: { title: headers.question, plate: 'open' },
  ready: { title: headers.question, ...headers.ready, plate: 'open' },
  'signed-out': { ...headers.signedOut, plate: 'open' },
  'no-link': { ...headers.noLink, plate: 'pulled' },
  'approve-unsure': { ...headers.approveUnsure, plate: 'open' },
  'decline-unsure': { ...headers.declineUnsure, plate: 'open' },
  approved: { ...headers.approved, plate: 'plugged' },
  declined: { ...headers.declined, plate: 'pulled' },
  expired: { ...headers.expired, plate: 'pulled' },
  linked: { ...headers.linked, plate: 'plugged' },
  'approved-or-used': { ...headers.approvedOrUsed, plate: 'plugged' },
  unknown: { ...headers.unknown, plate: 'pulled' },
  'declined-elsewhere': { ...headers.declinedElsewhere, plate: 'pulled' },
}
