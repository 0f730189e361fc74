import type { Range } from '../../instruments/zones.ts'

/** What panels of devices say that no device says of itself. */
export const words = {
  drive: 'Drive',
  measured: 'Measured',
  strain: 'Strain',
  limits: 'Limits and load',
  setAndActual: 'Set and actual',
  standstill: { label: 'At once', places: [{ name: 'Speed 0', at: 0 }] },
  angle: 'Angle',
  moving: { on: 'Moving', off: 'At rest', tone: 'info' },
  /** Both ends and the middle. */
  ends: ({ min, max }: Range = { min: -90, max: 90 }) => ({
    label: 'Go to',
    places: [
      { name: 'Lowest', at: min },
      { name: 'Center', at: (min + max) / 2 },
      { name: 'Highest', at: max },
    ],
  }),
  gains: 'Gains',
  output: 'Output',
  errorOverTime: 'Error and duty',

  color: 'Light',
  effect: 'Effect',
  scene: 'Scene',

  outlets: 'Outlets',
  breaker: 'Breaker',
  tripped: { on: 'Tripped', off: 'Closed', tone: 'danger' },
  supply: 'Supply',
  currents: 'Currents',
  all: 'All outlets',

  pwm: 'PWM',
  analog: 'Analog inputs',

  flight: 'Flight',
  byHand: 'By hand',
  steer: 'Along the room',
  climb: 'Turn and climb',
  place: 'Seen from above',
  fence: { on: 'Held by the geofence', off: 'Inside', tone: 'warning' },

  raw: 'Raw values',
  calibration: 'Calibration',
  newCalibration: 'New calibration',
  calibrated: [
    { from: 0, to: 1, tone: 'danger', name: 'Not calibrated' },
    { from: 1, to: 3, tone: 'warning', name: 'Calibrating' },
    { from: 3, to: 3, tone: 'ok', name: 'Calibrated' },
  ],
  distance: 'Distance',
  near: { on: 'Near', off: 'Clear', tone: 'warning' },
  frames: 'Frames',
  nearestZone: 'Nearest zone',
  zone: (row: number, column: number) => `Row ${row}, column ${column}`,
  history: 'History',
  sensors: ['Left', 'Half left', 'Middle', 'Half right', 'Right'],
  line: 'Line',
  lost: { on: 'Line lost', off: 'On the line', tone: 'danger' },
  running: { on: 'Running', off: 'At rest' },
  run: 'Run',
  robot: 'Robot',

  temperatures: 'Temperatures',
  readings: 'Readings',
  overTime: 'Over time',
  alarm: { on: 'Too hot', off: 'Normal', tone: 'danger' },
  time: 'Time',
  profile: 'Profile and measured',
  oven: 'Oven',
  altitude: 'Altitude by pressure',
  pressure: 'Pressure and temperature',
  relief: { on: 'Open', off: 'Closed', tone: 'danger' },

  registers: 'Registers',
  write: 'Write',
  readingsOfChip: 'Readings',
  tasks: 'Tasks and memory',
  statistics: 'Load and memory',

  log: 'Log',
  battery: [
    { from: 0, to: 15, tone: 'danger', name: 'Almost empty' },
    { from: 15, to: 30, tone: 'warning', name: 'Low' },
  ],
  charger: 'Charger',
  cells: 'Cells',
  spread: 'Spread of the cells',
  charging: 'Current and voltage',
} as const
