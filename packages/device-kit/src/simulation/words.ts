/** Why a simulated device does not do what it is told. */
export const WORDS = {
  stopped: 'The device is stopped. Release the emergency stop first.',
  noChannel: 'The device has no such channel.',
  readOnly: (title: string) => `"${title}" takes no commands.`,
  notFinite: (title: string) => `"${title}" takes a finite number.`,
  light: (members: readonly string[]) =>
    `A light takes true, false, or an object with ${['on', ...members].join(', ')}.`,
  range: (member: string, min: number, max: number) => `"${member}" is from ${min} to ${max}.`,

  brakeOn: 'The brake is on. Release it first.',
  overheated: 'It is too hot. Let it cool down first.',
  notEnabled: 'It is off. Turn it on first.',
  torqueOff: 'Torque is off. Turn it on first.',

  notArmed: 'The drone is not armed. Arm it first.',
  notFlying: 'The drone is not flying. Take off first.',
  alreadyFlying: 'The drone is in the air already.',
  inTheAir: 'The drone is in the air. Land first.',
  batteryLow: 'The battery is too low to fly. Let it charge first.',
  running: 'It is running already.',
  offLine: 'The robot has lost the line. Put it back first.',

  breakerTripped: 'The breaker has tripped. Reset it first.',
  charging: 'It is charging. Stop it first.',
  batteryFull: 'The battery is full.',

  pinIsInput: (pin: number) => `Pin ${pin} is an input.`,
  pinIsPwm: (pin: number) => `Pin ${pin} carries PWM. Turn PWM off first.`,
  chipDisabled: 'The chip is disabled. Set bit 0 of CTRL first.',

  ovenRuns: 'A profile is running. Abort it first.',
  ovenHot: (limit: number) => `The oven is hotter than ${limit} °C. Let it cool down first.`,
  overPressure: 'The relief valve is open. Let the pressure fall first.',
} as const

/** What the simulated robot says when its state changes, and now and then in a state. */
export const ROBOT_LINES = {
  states: {
    idle: { level: 'info', source: 'planner', message: 'Goal reached, waiting for the next one' },
    driving: { level: 'info', source: 'planner', message: 'New goal accepted, driving' },
    charging: { level: 'warn', source: 'power', message: 'Driving to the charger' },
    stopped: { level: 'error', source: 'safety', message: 'Emergency stop, motors are off' },
  },
  by: {
    idle: [
      { level: 'debug', source: 'localization', message: 'Pose covariance within limits' },
      { level: 'debug', source: 'scheduler', message: 'Queue is empty' },
      { level: 'info', source: 'network', message: 'Signal -58 dBm' },
    ],
    driving: [
      { level: 'debug', source: 'odometry', message: 'Wheel slip 0.4 %' },
      { level: 'debug', source: 'planner', message: 'Path recomputed in 12 ms' },
      { level: 'info', source: 'navigation', message: 'Waypoint passed' },
      { level: 'warn', source: 'lidar', message: 'Obstacle at 0.6 m, slowing down' },
      { level: 'error', source: 'camera', message: 'Frame dropped: timeout after 100 ms' },
    ],
    charging: [
      { level: 'debug', source: 'power', message: 'Charge current 2.1 A' },
      { level: 'info', source: 'power', message: 'Charging' },
    ],
    stopped: [
      { level: 'warn', source: 'safety', message: 'Stopped, waiting for release' },
      { level: 'debug', source: 'power', message: 'Motor supply is off' },
    ],
  },
} as const
