import type { ReactNode } from 'react'

/** What people read where they sign in. */
export const words = {
  page: {
    title: 'Sign in',
    lead: 'Patchbay has no passwords. Use your organization’s identity provider or a passkey.',
    checking: 'Checking your sign-in',
  },
  signedIn: {
    title: 'You are signed in',
    toAccount: 'Go to your account',
    goOn: 'Continue',
  },
  problems: {
    tryLater:
      'You are not signed in. Wait a minute and try again. If this continues, contact an administrator.',
    incomplete: {
      title: 'The sign-in came back incomplete',
      detail: 'Its address was cut off or changed on the way. Start over from here.',
    },
    unknown: {
      title: 'Something went wrong',
      detail: 'You are not signed in. Try again, or use another way.',
    },
    ourFault: 'Something went wrong on our side',
    noDatabase: 'The database cannot be reached',
  },
  panel: {
    loading: 'Loading sign-in options',
    withPasskey: 'Sign in with a passkey',
    withIssuer: (name: string) => (
      <>
        Continue with <bdi>{name}</bdi>
      </>
    ),
  },
  newHere: {
    question: 'New here?',
    createLink: 'Create an account with a passkey',
    create: (link: ReactNode) => <>{link}.</>,
    createOrContinue: (link: ReactNode) => (
      <>{link}, or continue with a provider above: the account is made on the way.</>
    ),
    withIssuerOnly: 'Continue with a provider above. Your account is created along the way.',
    byInvitation: 'Accounts are by invitation only. Ask an administrator for a link.',
  },
}
