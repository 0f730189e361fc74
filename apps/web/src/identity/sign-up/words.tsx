/** What people read while they create an account. */
export const words = {
  withPasskey: {
    title: 'Create an account',
    lead: 'Your browser keeps a passkey for this site and asks for your finger, face or PIN when you sign in.',
    loading: 'Loading sign-up options',
    submit: 'Sign up with a passkey',
    signInInstead: 'Sign in instead',
  },
  notAvailable: {
    title: 'Sign-up is not available this way',
    detail: 'Continue with a provider on the sign-in page, or ask an administrator for an invitation.',
  },
  vouched: {
    title: 'Choose your handle and name',
    lead: (issuer: string) => (
      <>
        <bdi>{issuer}</bdi> has vouched for you. One step is left: how your account here is called.
      </>
    ),
    loading: 'Loading your sign-up',
    submit: 'Create account',
  },
  expired: {
    title: 'This sign-up has expired',
    lead: 'It took too long, or was finished before. Sign in to begin again; nothing was made.',
    toRequest: 'Back to the request',
    toSignIn: 'Go to sign-in',
  },
  name: {
    label: 'Name',
    description: 'The name shown on pages. Any name works.',
    missing: 'A name is needed.',
    tooLong: 'At most 80 characters.',
    notDisplayable: 'Some of these characters cannot be shown.',
  },
  handle: {
    label: 'Handle',
    description: 'Small letters, digits and hyphens. Part of your addresses; it cannot be changed later.',
    missing: 'A handle is needed.',
    taken: 'This handle is taken. Choose another one.',
    tooLong: (most: number) => `At most ${most} characters.`,
    wrongCharacters: 'Only lowercase letters, digits and hyphens.',
    misplacedHyphen: 'A hyphen stands between letters or digits: not first, not last, never two.',
  },
}
