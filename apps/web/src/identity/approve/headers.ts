import type { SheetProps } from '../sheet.tsx'
import type { Approval } from './use-approval.ts'

type Header = Pick<SheetProps, 'title' | 'lead' | 'plate'>

const QUESTION = 'Let an application act for you?'

/** The heading of each state, and the first thing to know. */
export const APPROVAL_HEADERS: Record<Approval['state'], Header> = {
  loading: { title: QUESTION, plate: 'open' },
  failed: { title: QUESTION, plate: 'open' },
  ready: {
    title: QUESTION,
    lead: 'An application is asking for a session in your name. It gets nothing until you approve.',
    plate: 'open',
  },
  'signed-out': {
    title: 'Sign in to review this request',
    lead: 'An application is asking for a session in your name. Sign in to decide.',
    plate: 'open',
  },
  'no-link': {
    title: 'Nothing to approve',
    lead: 'Open the complete link that the application shows.',
    plate: 'pulled',
  },
  'approve-unsure': {
    title: 'The approval is not confirmed yet',
    lead: 'Your approval was sent, but no answer came back. The application may already have its session.',
    plate: 'open',
  },
  'decline-unsure': {
    title: 'The decline is not confirmed yet',
    lead: 'Your answer was sent, but no reply came back. The application gets nothing unless someone approves.',
    plate: 'open',
  },
  approved: {
    title: 'Done',
    lead: 'Go back to the application; you can close this tab.',
    plate: 'plugged',
  },
  declined: {
    title: 'Declined',
    lead: 'The application was told and got no access. You can close this tab.',
    plate: 'pulled',
  },
  expired: {
    title: 'This link has expired',
    lead: 'A link can be used for 15 minutes. Nothing was given to anybody.',
    plate: 'pulled',
  },
  linked: {
    title: 'This link has already been used',
    lead: 'A link works once, and somebody has approved this one.',
    plate: 'plugged',
  },
  'approved-or-used': {
    title: 'Already approved or used',
    lead: 'The link was used, most likely by your approval a moment ago.',
    plate: 'plugged',
  },
  unknown: {
    title: 'Unknown link',
    lead: 'No application is waiting for it. The link may be old, incomplete, or for another server.',
    plate: 'pulled',
  },
  'declined-elsewhere': {
    title: 'This request was declined',
    lead: 'Someone with this link declined it in another tab or browser. The application got no access.',
    plate: 'pulled',
  },
}
