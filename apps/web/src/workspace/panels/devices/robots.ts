import { group, more, wide } from '../instrument-panel/arrange.tsx'
import { commands, instrumentPanel, optional, reads } from '../instrument-panel/declare.ts'
import {
  actions,
  bars,
  choice,
  entry,
  joystick,
  lamp,
  level,
  number,
  slider,
  state,
  toggle,
} from '../instrument-panel/nodes.tsx'
import { log, plot } from '../instrument-panel/over-time.tsx'
import { map, orientation } from '../instrument-panel/spatial.tsx'
import { words } from './words.ts'

export const droneControl = instrumentPanel({
  kind: 'drone-control',
  binds: {
    armed: optional(commands(/^armed$/, 'switch', { deviceClass: 'drone' })),
    takeOff: commands(/^take_?off$/, 'button'),
    land: commands(/^land$/, 'button'),
    returnHome: optional(commands(/^(return_home|return|rtl)$/, 'button')),
    takeOffHeight: optional(commands(/^take_?off_height$/, 'number')),
    velocityX: optional(commands(/^(velocity_x|vx)$/, 'number')),
    velocityY: optional(commands(/^(velocity_y|vy)$/, 'number')),
    velocityZ: optional(commands(/^(velocity_z|vz)$/, 'number')),
    yawRate: optional(commands(/^yaw_rate$/, 'number')),
    mode: optional(reads(/^mode$/)),
    position: optional(reads(/^position$/)),
    velocity: optional(reads(/^velocity$/)),
    attitude: optional(reads(/^(attitude|orientation|quaternion)$/)),
    battery: optional(reads(/^battery$/, { deviceClass: 'battery' })),
    atFence: optional(reads(/^at_fence$/, { platform: ['binary_sensor'] })),
    failsafe: optional(reads(/^failsafe$/)),
  },
  view: (of) => [
    group(
      words.flight,
      toggle(of.armed),
      actions(words.flight, [of.takeOff, of.returnHome], { stops: [of.land] }),
      slider(of.takeOffHeight),
    ),
    group(
      words.measured,
      state(of.mode, { ok: ['flying'], info: ['armed', 'taking_off', 'returning', 'landing'] }),
      level(of.battery, { zones: words.battery }),
      lamp(of.atFence, words.fence),
      state(of.failsafe, { danger: ['battery_low'], ok: ['none'] }),
    ),
    group(
      words.byHand,
      joystick(words.steer, of.velocityX, of.velocityY),
      joystick(words.climb, of.yawRate, of.velocityZ),
    ),
    map(of.position, { label: words.place }),
    orientation(of.attitude),
    plot(words.overTime, [of.position, of.velocity], { seconds: 60 }),
  ],
})

export const lineFollower = instrumentPanel({
  kind: 'line-follower',
  binds: {
    reflectance: reads(/^(reflectance|line_sensors)$/),
    position: optional(reads(/^(position|line_position)$/)),
    running: optional(reads(/^running$/, { platform: ['binary_sensor'] })),
    offLine: optional(reads(/^(off_line|line_lost)$/, { platform: ['binary_sensor'] })),
    start: optional(commands(/^start$/, 'button')),
    stop: optional(commands(/^stop$/, 'button')),
    putBack: optional(commands(/^put_back$/, 'button')),
    speed: optional(commands(/^(speed|cruise)$/, 'number')),
    gain: optional(commands(/^gain$/, 'number')),
    wheels: optional(reads(/^wheels?$/)),
    pose: optional(reads(/^pose$/)),
    laps: optional(reads(/^laps$/)),
  },
  view: (of) => [
    group(
      words.line,
      bars(of.reflectance, { names: words.sensors }),
      level(of.position),
      lamp(of.offLine, words.lost),
    ),
    group(
      words.run,
      actions(words.run, [of.start, of.putBack], { stops: [of.stop] }),
      lamp(of.running, words.running),
      number(of.laps),
    ),
    group(words.robot, slider(of.speed), slider(of.gain)),
    map(of.pose, { label: words.place }),
    plot(words.overTime, [of.position, of.wheels], { seconds: 30 }),
  ],
})

export const robotLog = instrumentPanel({
  kind: 'robot-log',
  binds: {
    log: reads(/^(log|messages?)$/),
    level: optional(commands(/^(level|log_level)$/, 'select')),
    state: optional(reads(/^state$/)),
    battery: optional(reads(/^battery$/, { deviceClass: 'battery' })),
    dock: optional(commands(/^dock$/, 'button')),
  },
  view: (of) => [
    wide(log(of.log, { label: words.log })),
    state(of.state, { ok: ['driving'], info: ['charging'], danger: ['stopped'] }),
    level(of.battery, { zones: words.battery }),
    actions(words.robot, [of.dock]),
    choice(of.level),
  ],
})

export const speedController = instrumentPanel({
  kind: 'speed-controller',
  binds: {
    enabled: optional(commands(/^enabled$/, 'switch')),
    target: commands(/^(target|set_?point)$/, 'number', { units: ['rpm', 'rad/s', '1/s'] }),
    measured: reads(/^(measured|speed|rpm)$/, { units: ['rpm', 'rad/s', '1/s'] }),
    error: optional(reads(/^error$/)),
    duty: reads(/^(duty|throttle)$/, { units: ['%'] }),
    kp: optional(commands(/^kp$/, 'number')),
    ki: optional(commands(/^ki$/, 'number')),
    kd: optional(commands(/^kd$/, 'number')),
    load: optional(commands(/^load$/, 'number')),
  },
  view: (of) => [
    group(words.drive, toggle(of.enabled), slider(of.target), slider(of.load)),
    group(words.measured, number(of.measured), level(of.duty), number(of.error)),
    group(words.gains, entry(of.kp), entry(of.ki), entry(of.kd)),
    plot(words.setAndActual, [of.target, of.measured], { seconds: 30 }),
    more(words.errorOverTime, plot(words.errorOverTime, [of.error, of.duty], { seconds: 30 })),
  ],
})
