import type { Design, Moment } from './engine.ts'
import { clamp } from './numbers.ts'
import { ROBOT_LINES, WORDS } from './words.ts'

const STATES = ['idle', 'driving', 'charging', 'stopped'] as const
const LEVELS = ['debug', 'info', 'warn', 'error'] as const
type Level = (typeof LEVELS)[number]

export interface LogLine {
  readonly level: Level
  readonly source: string
  readonly message: string
}

interface RobotLog {
  state: (typeof STATES)[number]
  battery: number
  level: string
  /** Counts lines: two alike in a row are two. */
  seq: number
  line: LogLine
}

const LINES_A_SECOND = 0.7
/** Percent a second that it loses or gains, and percent. */
const BATTERY = { driving: -0.25, idle: -0.02, charging: 0.8, low: 20, full: 95 }

function say(state: RobotLog, line: LogLine): void {
  const isTold = LEVELS.indexOf(line.level) >= LEVELS.findIndex((level) => level === state.level)
  if (!isTold) return
  state.line = line
  state.seq += 1
}

function goTo(state: RobotLog, next: RobotLog['state']): void {
  if (state.state === next) return
  state.state = next
  say(state, ROBOT_LINES.states[next])
}

/** It drives and rests as it likes, and goes to its charger in time. */
function decide(state: RobotLog, { dt, random, isStopped }: Moment): void {
  if (isStopped) return
  if (state.state === 'stopped') goTo(state, 'idle')
  else if (state.battery < BATTERY.low) goTo(state, 'charging')
  else if (state.state === 'charging') {
    if (state.battery > BATTERY.full) goTo(state, 'idle')
  } else if (random() < dt / 20) goTo(state, state.state === 'idle' ? 'driving' : 'idle')
}

export const robotLog: Design<RobotLog> = {
  name: 'robot-log',
  title: 'Robot log',
  model: 'Mobile robot',
  start: () => ({ state: 'idle', battery: 76, level: 'debug', seq: 1, line: ROBOT_LINES.states.idle }),
  step(state, moment) {
    const { dt, random } = moment
    decide(state, moment)
    const rate = state.state === 'stopped' ? BATTERY.idle : BATTERY[state.state]
    state.battery = clamp(state.battery + rate * dt, 0, 100)
    if (random() >= LINES_A_SECOND * dt) return
    const lines = ROBOT_LINES.by[state.state]
    const line = lines[Math.floor(random() * lines.length)]
    if (line !== undefined) say(state, line)
  },
  stop: (state) => goTo(state, 'stopped'),
  channels: {
    log: { name: 'Log', step: 1, read: ({ line, seq }) => ({ ...line, seq }) },
    level: {
      platform: 'select',
      name: 'Least level',
      options: LEVELS,
      read: ({ level }) => level,
      write(state, value) {
        state.level = value
      },
    },
    dock: {
      platform: 'button',
      name: 'Drive to the charger',
      device_class: 'motor',
      guarded: true,
      write(state) {
        if (state.state === 'charging') return WORDS.running
        goTo(state, 'charging')
        return undefined
      },
    },
    state: { name: 'State', device_class: 'enum', options: STATES, read: ({ state }) => state },
    battery: {
      name: 'Battery',
      device_class: 'battery',
      unit_of_measurement: '%',
      min: 0,
      max: 100,
      step: 0.1,
      read: ({ battery }) => battery,
    },
  },
}
