import { type Channel, type Design, kept } from './engine.ts'
import { approach, clamp, type Random, wander } from './numbers.ts'
import { WORDS } from './words.ts'

interface Outlet {
  isOn: boolean
  /** A: what hangs on it draws this, and much more just after it was switched on. */
  load: number
  current: number
}

interface WorkcellPower {
  outlets: readonly Outlet[]
  limit: number
  voltage: number
  /** Wh. */
  energy: number
  /** The breaker's bimetal: 1 trips it. */
  heat: number
  isTripped: boolean
}

const LOADS = [1.2, 2.5, 0.8, 4]
const INRUSH = 3
const totalCurrent = ({ outlets }: WorkcellPower) => outlets.reduce((sum, { current }) => sum + current, 0)
const allOff = ({ outlets }: WorkcellPower) => {
  for (const outlet of outlets) outlet.isOn = false
}

function outletChannels(index: number): Readonly<Record<string, Channel<WorkcellPower>>> {
  return {
    [`outlet_${index + 1}`]: {
      platform: 'switch',
      name: `Outlet ${index + 1}`,
      device_class: 'outlet',
      guarded: true,
      read: ({ outlets }) => outlets[index]?.isOn === true,
      write(state, value) {
        const outlet = state.outlets[index]
        if (outlet === undefined) return WORDS.noChannel
        if (value && state.isTripped) return WORDS.breakerTripped
        if (value && !outlet.isOn) outlet.current = outlet.load * INRUSH
        outlet.isOn = value
        return undefined
      },
    },
    [`current_${index + 1}`]: {
      name: `Current ${index + 1}`,
      device_class: 'current',
      unit_of_measurement: 'A',
      min: 0,
      max: 20,
      step: 0.01,
      read: ({ outlets }) => outlets[index]?.current ?? 0,
    },
  }
}

export const workcellPower: Design<WorkcellPower> = {
  name: 'workcell-power',
  title: 'Workcell power',
  model: 'Four switched outlets with a breaker',
  start: () => ({
    outlets: LOADS.map((load) => ({ isOn: false, load, current: 0 })),
    limit: 10,
    voltage: 230,
    energy: 0,
    heat: 0,
    isTripped: false,
  }),
  step(state, { dt, random }) {
    for (const [index, outlet] of state.outlets.entries()) {
      const usual = LOADS[index] ?? 0
      outlet.load = wander(outlet.load, { around: usual, spread: usual * 0.05, timeConstant: 8 }, dt, random)
      outlet.current = outlet.isOn ? approach(outlet.current, outlet.load, 0.3, dt) : 0
    }
    state.voltage = wander(state.voltage, { around: 230, spread: 1.5, timeConstant: 30 }, dt, random)
    const overload = totalCurrent(state) / state.limit
    // The farther above its limit, the sooner it trips: a start may pass, an overload may not.
    state.heat = overload > 1 ? state.heat + (overload ** 2 - 1) * dt * 0.5 : approach(state.heat, 0, 5, dt)
    if (state.heat > 1) {
      state.isTripped = true
      state.heat = 0
      allOff(state)
    }
    state.energy += (totalCurrent(state) * state.voltage * dt) / 3_600
  },
  stop(state) {
    allOff(state)
    for (const outlet of state.outlets) outlet.current = 0
  },
  channels: {
    ...outletChannels(0),
    ...outletChannels(1),
    ...outletChannels(2),
    ...outletChannels(3),
    all_off: { platform: 'button', name: 'All off', idempotent: true, write: allOff },
    limit: {
      platform: 'number',
      name: 'Breaker limit',
      device_class: 'current',
      unit_of_measurement: 'A',
      min: 2,
      max: 16,
      step: 0.5,
      guarded: true,
      ...kept('limit'),
    },
    reset: {
      platform: 'button',
      name: 'Reset breaker',
      guarded: true,
      write(state) {
        state.isTripped = false
      },
    },
    tripped: {
      platform: 'binary_sensor',
      name: 'Breaker tripped',
      device_class: 'problem',
      read: ({ isTripped }) => isTripped,
    },
    current: {
      name: 'Total current',
      device_class: 'current',
      unit_of_measurement: 'A',
      min: 0,
      max: 40,
      step: 0.01,
      read: totalCurrent,
    },
    voltage: {
      name: 'Voltage',
      device_class: 'voltage',
      unit_of_measurement: 'V',
      min: 200,
      max: 260,
      step: 0.1,
      read: ({ voltage }) => voltage,
    },
    power: {
      name: 'Total power',
      device_class: 'power',
      unit_of_measurement: 'W',
      min: 0,
      max: 10_000,
      step: 1,
      read: (state) => totalCurrent(state) * state.voltage,
    },
    energy: {
      name: 'Energy',
      device_class: 'energy',
      unit_of_measurement: 'Wh',
      min: 0,
      max: 10_000_000,
      step: 0.1,
      read: ({ energy }) => energy,
    },
  },
}

const PHASES = ['idle', 'constant_current', 'constant_voltage', 'full', 'too_hot'] as const

interface Charger {
  phase: (typeof PHASES)[number]
  chargeCurrent: number
  current: number
  /** From 0 to 1. */
  charge: number
  /** How much each of the cells is above or below the others, in V. */
  spread: readonly number[]
  temperature: number
  charged: number
  elapsed: number
  /** Another pack comes with the next step: what it holds is a matter of chance. */
  isChanging: boolean
}

/** So small that a charge takes minutes. Ah, V and Ω for each cell, °C. */
const PACK = { capacity: 0.25, full: 4.2, resistance: 0.06, ambient: 24, hot: 45, cool: 38 }
const openVoltage = (charge: number) =>
  3.3 + 0.55 * charge + 0.35 * charge ** 4 - 0.3 * Math.exp(-20 * charge)
const cellVoltage = ({ charge, current }: Charger) => openVoltage(charge) + current * PACK.resistance
const isCharging = ({ phase }: Charger) => phase === 'constant_current' || phase === 'constant_voltage'
const endCharge = (state: Charger) => {
  if (isCharging(state)) state.phase = 'idle'
}

/** Another pack, more or less empty. */
const pack = (random: Random) => ({
  charge: 0.05 + 0.2 * random(),
  spread: [0, 1, 2].map(() => (random() - 0.5) * 0.02),
})

export const charger: Design<Charger> = {
  name: 'charger',
  title: 'Charger',
  model: 'Battery charger, three cells',
  start: (random) => ({
    phase: 'idle',
    chargeCurrent: 2,
    current: 0,
    ...pack(random),
    temperature: PACK.ambient,
    charged: 0,
    elapsed: 0,
    isChanging: false,
  }),
  step(state, { dt, random }) {
    if (state.isChanging) Object.assign(state, pack(random), { isChanging: false, phase: 'idle', charged: 0 })
    if (isCharging(state)) {
      // What brings the cells to their full voltage and no further.
      const most = Math.max(0, (PACK.full - openVoltage(state.charge)) / PACK.resistance)
      state.current = Math.min(approach(state.current, state.chargeCurrent, 0.4, dt), most)
      state.elapsed += dt
      // Where it was set lower meanwhile, it is the current again that is constant.
      state.phase = most < state.chargeCurrent ? 'constant_voltage' : 'constant_current'
      if (most < Math.min(0.1, state.chargeCurrent * 0.5)) state.phase = 'full'
      if (state.temperature > PACK.hot) state.phase = 'too_hot'
    } else state.current = approach(state.current, 0, 0.1, dt)
    if (state.phase === 'too_hot' && state.temperature < PACK.cool) state.phase = 'idle'
    if (!isCharging(state) && state.current < 0.005) state.current = 0
    const moved = (state.current * dt) / 3_600
    state.charge = clamp(state.charge + moved / PACK.capacity, 0, 1)
    state.charged += moved * 1_000
    state.temperature = approach(state.temperature, PACK.ambient + 2.5 * state.current ** 1.5, 70, dt)
  },
  stop: endCharge,
  channels: {
    start: {
      platform: 'button',
      name: 'Start',
      device_class: 'power_supply',
      guarded: true,
      write(state) {
        if (isCharging(state)) return WORDS.charging
        if (state.phase === 'full') return WORDS.batteryFull
        if (state.phase === 'too_hot') return WORDS.overheated
        Object.assign(state, { phase: 'constant_current', charged: 0, elapsed: 0 })
        return undefined
      },
    },
    stop: { platform: 'button', name: 'Stop', idempotent: true, write: endCharge },
    change_pack: {
      platform: 'button',
      name: 'Insert another pack',
      write(state) {
        if (isCharging(state)) return WORDS.charging
        state.isChanging = true
        return undefined
      },
    },
    charge_current: {
      platform: 'number',
      name: 'Charge current',
      device_class: 'power_supply',
      unit_of_measurement: 'A',
      min: 0.1,
      max: 5,
      step: 0.1,
      guarded: true,
      ...kept('chargeCurrent'),
    },
    phase: { name: 'Phase', device_class: 'enum', options: PHASES, read: ({ phase }) => phase },
    voltage: {
      name: 'Voltage',
      device_class: 'voltage',
      unit_of_measurement: 'V',
      min: 0,
      max: 15,
      step: 0.01,
      read: (state, noise) => 3 * cellVoltage(state) + noise(0.005),
    },
    cells: {
      name: 'Cells',
      device_class: 'voltage',
      unit_of_measurement: 'V',
      min: 0,
      max: 5,
      step: 0.001,
      read: (state) => state.spread.map((each) => cellVoltage(state) + each),
    },
    current: {
      name: 'Current',
      device_class: 'current',
      unit_of_measurement: 'A',
      min: 0,
      max: 6,
      step: 0.01,
      read: ({ current }, noise) => current + (current === 0 ? 0 : noise(0.01)),
    },
    state_of_charge: {
      name: 'State of charge',
      device_class: 'battery',
      unit_of_measurement: '%',
      min: 0,
      max: 100,
      step: 0.1,
      read: ({ charge }) => charge * 100,
    },
    charged: {
      name: 'Charged',
      unit_of_measurement: 'mAh',
      min: 0,
      max: 10_000,
      step: 1,
      read: ({ charged }) => charged,
    },
    temperature: {
      name: 'Pack temperature',
      device_class: 'temperature',
      unit_of_measurement: '°C',
      min: 0,
      max: 80,
      step: 0.1,
      read: ({ temperature }, noise) => temperature + noise(0.1),
    },
    elapsed: {
      name: 'Elapsed',
      device_class: 'duration',
      unit_of_measurement: 's',
      min: 0,
      max: 1_000_000,
      step: 1,
      read: ({ elapsed }) => elapsed,
    },
  },
}
