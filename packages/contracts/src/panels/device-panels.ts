export interface DevicePanelRole {
  /** What people and agents read. */
  readonly title: string
  /** It takes a list of channels. */
  readonly isSeveral?: true
}
export type DevicePanelRoles = Readonly<Record<string, DevicePanelRole>>

const one = (title: string) => ({ title })
const several = (title: string) => ({ title, isSeveral: true }) as const

/** The panels of devices, and what each shows: a part that a channel of a device plays in it. */
export const DEVICE_PANELS = {
  'motor-control': {
    target: one('Target speed'),
    direction: one('Direction'),
    brake: one('Brake'),
    speed: one('Measured speed'),
    current: one('Current'),
    power: one('Power'),
    temperature: one('Temperature'),
    state: one('State'),
    acceleration: one('Ramp'),
    currentLimit: one('Current limit'),
    load: one('Load'),
  },
  'led-control': {
    light: one('Light'),
    effect: one('Effect'),
    effectSpeed: one('Effect speed'),
    output: one('Color as it shines'),
    current: one('Current'),
  },
  'servo-control': {
    target: one('Target angle'),
    position: one('Measured angle'),
    enabled: one('Torque on and off'),
    speed: one('Speed of the move'),
    torque: one('Torque'),
    temperature: one('Temperature'),
    moving: one('Moving'),
  },
  'drone-control': {
    armed: one('Motors armed'),
    takeOff: one('Take off'),
    land: one('Land'),
    returnHome: one('Return home'),
    takeOffHeight: one('Take-off height'),
    velocityX: one('Velocity along x'),
    velocityY: one('Velocity along y'),
    velocityZ: one('Climb'),
    yawRate: one('Yaw rate'),
    mode: one('Mode'),
    position: one('Position'),
    velocity: one('Measured velocity'),
    attitude: one('Attitude'),
    battery: one('Battery'),
    atFence: one('Held by the geofence'),
    failsafe: one('Failsafe'),
  },
  'speed-controller': {
    enabled: one('On and off'),
    target: one('Target speed'),
    measured: one('Measured speed'),
    error: one('Error'),
    duty: one('Duty'),
    kp: one('Proportional gain'),
    ki: one('Integral gain'),
    kd: one('Derivative gain'),
    load: one('Load'),
  },
  'lights-control': {
    lights: several('Lights'),
    scene: one('Scene'),
    fade: one('Fade'),
    illuminance: one('Illuminance'),
    power: one('Power'),
  },
  'workcell-power': {
    outlets: several('Outlets'),
    currents: several('Currents of the outlets'),
    allOff: one('All off'),
    limit: one('Limit of the breaker'),
    reset: one('Reset of the breaker'),
    tripped: one('Breaker tripped'),
    current: one('Total current'),
    voltage: one('Voltage'),
    power: one('Total power'),
    energy: one('Energy'),
  },
  'gpio-control': {
    pins: several('Pins'),
    directions: several('Directions of the pins'),
    edges: one('Edges by pin'),
    pwm: one('PWM on and off'),
    pwmDuty: one('PWM duty'),
    pwmFrequency: one('PWM frequency'),
    analog: several('Analog inputs'),
  },
  imu: {
    orientation: one('Orientation'),
    acceleration: one('Acceleration'),
    gyro: one('Turn rate'),
    magnetometer: one('Magnetic field'),
    calibration: one('Calibration'),
    calibrate: one('Calibrate'),
  },
  'time-of-flight': {
    distances: one('Distances'),
    nearest: one('Nearest'),
    ranging: one('Ranging'),
    rate: one('Frames'),
  },
  ultrasonic: {
    distance: one('Distance'),
    nearBelow: one('Near below'),
    near: one('Near'),
  },
  'line-follower': {
    reflectance: one('Reflectance'),
    position: one('Position of the line'),
    running: one('Running'),
    offLine: one('Line lost'),
    start: one('Start'),
    stop: one('Stop'),
    putBack: one('Put back'),
    speed: one('Cruising speed'),
    gain: one('Steering gain'),
    wheels: one('Wheel speeds'),
    pose: one('Pose'),
    laps: one('Laps'),
  },
  'temperature-graph': {
    temperatures: several('Temperatures'),
    alarmAbove: one('Alarm above'),
    alarm: one('Alarm'),
  },
  'chip-data': {
    registers: one('Registers'),
    writable: several('Registers that are written'),
    reset: one('Reset'),
    voltages: one('Voltages'),
    clock: one('Clock'),
    temperature: one('Temperature'),
  },
  'chip-statistics': {
    load: one('Load'),
    tasks: one('Load by task'),
    memory: one('Memory'),
    errors: one('Errors'),
    uptime: one('Uptime'),
    temperature: one('Temperature'),
    clock: one('Clock'),
  },
  'oven-data': {
    temperature: one('Oven temperature'),
    target: one('Temperature of the profile'),
    board: one('Board temperature'),
    profile: one('Profile'),
    start: one('Start'),
    abort: one('Abort'),
    stage: one('Stage'),
    heater: one('Heater'),
    fan: one('Fan'),
    elapsed: one('Elapsed'),
    aboveLiquidus: one('Time above liquidus'),
  },
  'pressure-temperature': {
    pressure: one('Pressure'),
    temperature: one('Temperature'),
    pump: one('Pump'),
    valve: one('Valve'),
    relief: one('Relief valve open'),
  },
  'ultra-wideband': {
    position: one('Position'),
    anchors: one('Anchors'),
    ranges: one('Ranges'),
    accuracy: one('Accuracy'),
    rate: one('Fixes'),
  },
  'sensor-monitor': {
    sensors: several('Sensors'),
  },
  'robot-log': {
    log: one('Log'),
    level: one('Least level'),
    state: one('State'),
    battery: one('Battery'),
    dock: one('Drive to the charger'),
  },
  'battery-charger': {
    phase: one('Phase'),
    start: one('Start'),
    stop: one('Stop'),
    changePack: one('Another pack'),
    chargeCurrent: one('Charge current'),
    voltage: one('Voltage'),
    cells: one('Cells'),
    current: one('Current'),
    charge: one('State of charge'),
    charged: one('Charged'),
    temperature: one('Temperature'),
    elapsed: one('Elapsed'),
  },
} as const satisfies Readonly<Record<string, DevicePanelRoles>>

export type DevicePanelKind = keyof typeof DEVICE_PANELS
export type DeviceRole<Kind extends DevicePanelKind> = Extract<keyof (typeof DEVICE_PANELS)[Kind], string>

/** Apart from the table, which a page needs with the first such panel alone. */
export const DEVICE_PANEL_KINDS = [
  'motor-control',
  'led-control',
  'servo-control',
  'drone-control',
  'speed-controller',
  'lights-control',
  'workcell-power',
  'gpio-control',
  'imu',
  'time-of-flight',
  'ultrasonic',
  'line-follower',
  'temperature-graph',
  'chip-data',
  'chip-statistics',
  'oven-data',
  'pressure-temperature',
  'ultra-wideband',
  'sensor-monitor',
  'robot-log',
  'battery-charger',
] as const satisfies readonly DevicePanelKind[]

/** Of one list of channels. */
export const MOST_BOUND = 24
/** By part, such as `{ target: 'servo/target' }`. */
export type DeviceBindings = Readonly<Record<string, string | readonly string[]>>
