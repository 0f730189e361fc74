/** What a person is told when a request to the server came to nothing. */
export const words = {
  tryAgain: 'Try again',
  refused: (code: string) => `The server refused with “${code}”.`,
  notPatchbay: (status: number) => ({
    title: 'The answer did not come from Patchbay',
    detail: `Something in between answered with status ${status}. A proxy may be misconfigured.`,
  }),
  offline: {
    title: 'You are offline',
    detail: 'The browser has no network connection.',
  },
  tooLong: {
    title: 'The server is taking too long',
    detail: 'It did not respond in time.',
  },
  unreachable: {
    title: 'The server cannot be reached',
    detail: 'It may be restarting, or the network between you and it is down. Nothing you did is lost.',
  },
}
