import type { ReactNode } from 'react'

/** What the page behind an invitation link says. */
export const words = {
  page: {
    title: 'Welcome to Patchbay',
    administratorLead: 'This link makes you an administrator of this server. It works once.',
    accountLead: 'You’re invited to create an account on this server. The link works once.',
    checkingInvitation: 'Checking the invitation',
    checkingPerson: 'Checking who you are',
  },
  noInvitation: {
    title: 'No invitation found',
    lead: 'This page opens from an invitation link. Open the whole link again, as it was given to you.',
  },
  refused: {
    title: 'This invitation cannot be used',
    lead: 'It was used before, has expired, or was copied incompletely. Ask whoever invited you for a new one.',
  },
  administrator: {
    signedInAs: (handle: string) => (
      <>
        You are signed in as <strong>{handle}</strong>.
      </>
    ),
    already: 'This account is already an administrator.',
    question: 'Make this account an administrator?',
    accept: (handle: string) => `Make ${handle} an administrator`,
    createAnother: 'Create another account',
    done: (handle: string) => `${handle} is an administrator now`,
  },
  account: {
    signedInAs: {
      title: (handle: string) => `You are signed in as ${handle}`,
      detail: 'The invitation makes another account, and signs you in to that one.',
    },
    orWithIssuer: 'Or create the account with an identity provider',
    expires: (when: ReactNode) => <>The invitation expires {when}.</>,
  },
}
