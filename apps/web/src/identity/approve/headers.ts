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
    lead: 'An application asks for a session in your name. Nothing is given until you approve.',
    plate: 'open',
  },
  'signed-out': {
    title: 'Sign in to see who asks',
    lead: 'An application asks for a session in your name. You decide about it once you are signed in.',
    plate: 'open',
  },
  'no-link': {
    title: 'There is nothing to approve here',
    lead: 'This page opens from the link that an application shows. Open the whole link again.',
    plate: 'pulled',
  },
  'approve-unsure': {
    title: 'We do not know yet whether it was approved',
    lead: 'Your approval was sent, and no answer came back. The application may have its session already.',
    plate: 'open',
  },
  'decline-unsure': {
    title: 'We do not know yet whether it was declined',
    lead: 'Your answer was sent, and none came back. Nothing is given as long as nobody approves.',
    plate: 'open',
  },
  approved: {
    title: 'Done',
    lead: 'Go back to the application; you can close this tab.',
    plate: 'plugged',
  },
  declined: {
    title: 'Declined',
    lead: 'The application was told, and got nothing. You can close this tab.',
    plate: 'pulled',
  },
  expired: {
    title: 'This link has expired',
    lead: 'A link can be used for 15 minutes. Nothing was given to anybody.',
    plate: 'pulled',
  },
  linked: {
    title: 'This link was used already',
    lead: 'A link works once, and somebody has approved this one.',
    plate: 'plugged',
  },
  'approved-or-used': {
    title: 'Approved, or used already',
    lead: 'The link has been used: most likely by your approval just now, whose answer was lost.',
    plate: 'plugged',
  },
  unknown: {
    title: 'This link is not known here',
    lead: 'No application is waiting for it. It may be old, cut off, or of another installation.',
    plate: 'pulled',
  },
  'declined-elsewhere': {
    title: 'This request was declined',
    lead: 'Somebody with this link has said no, in another tab or browser. The application got nothing.',
    plate: 'pulled',
  },
}
