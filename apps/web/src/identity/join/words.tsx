import type { ReactNode } from 'react'

/** What the page behind a link to somebody's workspace says. */
export const words = {
  checking: 'Checking the invitation',
  checkingPerson: 'Checking who you are',
  none: {
    title: 'No invitation found',
    lead: 'This page opens from an invitation link. Open the whole link again, as it was given to you.',
  },
  refused: {
    title: 'This invitation cannot be used',
    lead: 'It was used up or revoked, has expired, or was copied incompletely. Ask whoever invited you for a new one.',
  },
  title: 'Join a workspace',
  titleOf: (owner: string, repo: string) => `Join ${owner}/${repo}`,
  leads: {
    viewer: (handle: ReactNode) => <>{handle} invites you to look at this workspace.</>,
    editor: (handle: ReactNode) => <>{handle} invites you to work on this workspace together.</>,
  },
  may: {
    viewer: 'As a viewer you see all of it, with its files, and change nothing.',
    editor: 'As an editor you change its panels and files.',
  },
  expires: (when: ReactNode) => <>The invitation expires {when}.</>,
  join: 'Join',
  signIn: 'Sign in or create an account. You’ll come back here.',
  byInvitation:
    'Accounts on this server are by invitation only, and this link does not make one. Ask an administrator for an account, then open this link again.',
}
