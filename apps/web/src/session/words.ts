/** What the top bar and the notice of new sessions say about who is signed in. */
export const words = {
  menu: {
    signIn: 'Sign in',
    signedInAs: (handle: string) => `Signed in as ${handle}`,
    label: 'Your account',
    account: 'Account',
    packages: 'My packages',
    people: 'People',
    signOut: 'Sign out',
  },
  newSessions: {
    label: 'New sessions',
    title: (count: number) =>
      count === 1
        ? 'A new application session was opened.'
        : `${count} new application sessions were opened.`,
    text: 'If it was you, there is nothing to do. If not, end it.',
    review: 'Review',
  },
}
