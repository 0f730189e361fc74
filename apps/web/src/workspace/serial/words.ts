export const words = {
  notOpened:
    'The port could not be opened. Close other programs and pages that use it, such as the Arduino IDE, and try again.',
  blocked: 'This browser does not let the page use serial ports.',
  taken: 'This workspace has a device of this name.',
  full: (most: number) => `You've reached the limit of ${most} boards. Forget one to add another.`,
  inUse: (board: string) => `${board} uses this port.`,
  unplugged: 'The board was unplugged.',
  notStopped: 'The board could not be told to stop. Turn off its power.',
  notReleased: 'The board could not be told that the stop is over. Disconnect it and connect it again.',
  notTaken: 'the board did not take it in time',
  tooLong: (most: number) => `${most.toLocaleString('en')} bytes at most are sent at once`,
  unknown: 'the board has no such channel',
}
