/** Why a picture could not be taken: for whoever asked for it, and in the log. */
export const words = {
  tooMany: 'Too many screenshots are in progress',
  screenNotShared: 'The screen is not shared',
  pageNotShared: 'The page is not shared',
  nothing: 'There is nothing to capture',
  cannotCapturePart: 'This browser cannot capture part of its page',
  cannotCapture: 'This browser cannot capture its page',
  noCanvas: 'No canvas is available for the screenshot',
  late: (ms: number) => `No picture came within ${ms} ms`,
  ended: 'Sharing has ended',
  noDisplay: 'No display was shared',
  otherTab: 'This tab was not shared',
}
