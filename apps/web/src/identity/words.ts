/** What the parts say that the pages about identity share. */
export const words = {
  signedInAs: {
    label: 'Signed in as',
    switchAccount: 'Not you? Switch account',
  },
  checkingSignIn: 'Checking your sign-in',
}
