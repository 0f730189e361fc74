/** Why a device is not told something, and what became of it; after “Not available: ” or “Not done: ”. */
export const words = {
  mayOnlyLook: 'you may only look at this workspace',
  past: 'you are looking at the past. Go back to live first',
  away: 'the connection is lost',
  stopped: 'the devices are stopped',
  gone: 'the device is not there anymore',
  offline: 'the device is offline',
  you: 'you',
  notArmed: 'arm the device first',
  noCommands: 'this channel takes no commands',
  linkDown: 'the server cannot reach the devices now',
  timeout: 'the device did not answer in time, and may have done it',
  refused: (message: string | null) => message ?? 'the device refused',
  failed: (message: string | null) => message ?? 'the device failed',
}
