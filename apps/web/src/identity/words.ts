/** What the parts say that the pages about identity share. */
export const words = {
  formDialog: {
    done: 'Done',
    cancel: 'Cancel',
  },
  signedInAs: {
    label: 'Signed in as',
    switchAccount: 'Not you? Switch account',
  },
  checkingSignIn: 'Checking your sign-in',
}
