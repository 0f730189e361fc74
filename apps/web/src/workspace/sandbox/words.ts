/** What the sandbox says of its frame and of the code in it. */
export const words = {
  notReady: 'The frame is not ready.',
  notLoaded: 'The frame did not load.',
  reloaded: 'The frame was reloaded.',
  left: 'The code navigated away.',
  /** Of frames that share a process nobody outside knows which one hangs. */
  hung: 'The frame stopped answering: code in it, or in another panel, did not end.',
  codeLate: 'The code timed out.',
  timedOut: (ms: number) => `timed out after ${ms} ms`,
  notJson: 'The result is not JSON.',
  tooMany: 'Too many runs are waiting.',
  reset: 'The sandbox was reset.',
  closed: 'The panel was closed.',
  noPath: 'That is no path.',
  python: {
    notLoaded: 'Python could not be loaded. Check your connection and try again.',
    notStarted: 'Python did not start. Try again.',
  },
  picture: {
    invalid: 'The frame returned no screenshot.',
    late: 'The screenshot timed out.',
    none: 'No screenshot arrived.',
  },
}
