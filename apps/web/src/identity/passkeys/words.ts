/** What people are told when a passkey could not be used or made. */
export const words = {
  alreadyHere: {
    title: 'This device already has a passkey for you',
    detail: 'Sign in with it, or create one on another device.',
  },
  notUsed: {
    title: 'No passkey was used',
    detail:
      'The browser’s dialog was closed or took too long. Nothing has changed; try again when you are ready.',
  },
  notSupported: {
    title: 'Passkeys do not work here',
    detail:
      'They need a recent browser, and this site under its proper name with HTTPS. Use another way to sign in.',
  },
}
