import { expect, test } from 'vitest'
import { device, leap } from './device.ts'

test('[DK-54] a light keeps what a command does not name', () => {
  const led = device('led')
  led.tell('light', { r: 10, g: 20, b: 30, brightness: 100 })
  led.tell('light', { brightness: 50 })
  led.tell('light', false)
  expect(led.value('light')).toEqual({ on: false, brightness: 50, r: 10, g: 20, b: 30 })
  expect(led.value('output')).toEqual({ r: 0, g: 0, b: 0 })
})

test('[DK-54] of several members of a command, one outside its range refuses all', () => {
  const led = device('led')
  const before = led.value('light')
  expect(led.refusal('light', { r: 1, g: 300 })).toContain('255')
  expect(led.value('light')).toEqual(before)
})

test.each(['blink', 'breathe', 'rainbow'])('[DK-54] %s changes what the LED shines with', (effect) => {
  const led = device('led')
  led.tell('effect', effect)
  const shown = led.trace(4, () => JSON.stringify(led.value('output')))
  expect(new Set(shown).size).toBeGreaterThan(1)
})

test('[DK-54] a solid LED shines with its color, as bright as it is set', () => {
  const led = device('led')
  led.tell('light', { on: true, r: 200, g: 100, b: 0, brightness: 255 })
  expect(led.value('output')).toEqual({ r: 200, g: 100, b: 0 })
  const bright = led.number('current')
  led.tell('light', { brightness: 51 })
  expect(led.value('output')).toEqual({ r: 40, g: 20, b: 0 })
  expect(led.number('current')).toBeLessThan(bright)
})

test('[DK-54] zones fade, and a scene sets all of them', () => {
  const lights = device('lights')
  lights.tell('scene', 'off')
  const powers = lights.trace(5, () => lights.number('power'))
  expect(powers[0]).toBeGreaterThan(20)
  expect(powers.at(-1)).toBeLessThan(1)
  lights.tell('scene', 'inspection')
  lights.step(5)
  expect(lights.value('levels')).toEqual([255, 255, 255])
  expect(lights.value('shelf')).toEqual({ on: true, brightness: 255, color_temp: 6_500 })
  lights.tell('shelf', false)
  expect(lights.value('scene')).toBe('custom')
})

function loaded(outlets: readonly number[]) {
  const power = device('workcell-power')
  for (const outlet of outlets) power.tell(`outlet_${outlet}`)
  return power
}

test('[DK-55] an outlet draws more when switched on, and nothing when off', () => {
  const power = loaded([2])
  const currents = power.trace(4, () => power.number('current_2'))
  expect(currents[0]).toBeGreaterThan((currents.at(-1) ?? 0) * 2)
  expect(power.number('power')).toBeCloseTo(power.number('current') * power.number('voltage'), -1)
  expect(power.number('current_1')).toBe(0)
  power.tell('outlet_2', false)
  power.step(0.05)
  expect(power.number('power')).toBe(0)
})

test('[DK-55] all outlets may start at once', () => {
  const power = loaded([1, 2, 3, 4])
  power.step(60)
  expect(power.value('tripped')).toBe(false)
  expect(power.number('energy')).toBeGreaterThan(20)
})

const secondsUntilTripped = (limit: number) => {
  const power = loaded([1, 2, 3, 4])
  power.step(5)
  power.tell('limit', limit)
  return power.trace(60, () => power.value('tripped')).indexOf(true)
}

test('[DK-55] an overload trips the breaker, sooner the larger it is', () => {
  expect(secondsUntilTripped(10)).toBe(-1)
  const [little, much] = [secondsUntilTripped(7), secondsUntilTripped(3)]
  expect(much).toBeGreaterThanOrEqual(0)
  expect(little).toBeGreaterThan(much)
})

test('[DK-55] tripped, all outlets are off and stay so until reset', () => {
  const power = loaded([1, 4])
  power.tell('limit', 2)
  power.step(10)
  expect([power.value('outlet_1'), power.value('outlet_4'), power.number('power')]).toEqual([false, false, 0])
  expect(power.refusal('outlet_1')).toContain('breaker')
  power.tell('reset')
  power.step(1)
  expect(power.number('power')).toBe(0)
  power.tell('outlet_3')
})

test('[DK-56] constant current, then constant voltage, then full', () => {
  const charger = device('charger')
  charger.tell('start')
  const seen = charger.trace(900, () => ({
    phase: charger.value('phase'),
    voltage: charger.number('voltage'),
    current: charger.number('current'),
    charge: charger.number('state_of_charge'),
  }))
  const phases = seen.map(({ phase }) => phase).filter((phase, index, all) => phase !== all[index - 1])
  expect(phases).toEqual(['constant_current', 'constant_voltage', 'full'])
  const constantCurrent = seen.filter(({ phase }) => phase === 'constant_current').slice(100)
  for (const { current } of constantCurrent) expect(current).toBeCloseTo(2, 1)
  expect(constantCurrent.at(-1)?.voltage).toBeGreaterThan((constantCurrent[0]?.voltage ?? 0) + 1)
  const constantVoltage = seen.filter(({ phase }) => phase === 'constant_voltage')
  for (const { voltage } of constantVoltage) expect(Math.abs(voltage - 12.6)).toBeLessThan(0.03)
  expect(constantVoltage.at(-1)?.current).toBeLessThan(0.2)
  expect(leap(seen.map(({ charge }) => charge))).toBeLessThan(0.2)
  expect(seen.at(-1)?.charge).toBeGreaterThan(99)
  expect(seen.at(-1)?.current).toBe(0)
})

test('[DK-56] another pack is emptier, and none is changed while charging', () => {
  const charger = device('charger')
  expect(charger.number('state_of_charge')).toBeLessThan(30)
  charger.tell('start')
  expect(charger.refusal('change_pack')).toContain('Stop')
  expect(charger.refusal('start')).toContain('charging')
  charger.step(900)
  expect(charger.refusal('start')).toContain('full')
  charger.tell('change_pack')
  charger.step(1)
  expect(charger.number('state_of_charge')).toBeLessThan(30)
  charger.tell('start')
})

test('[DK-56] charged too fast, the pack gets hot and charging stops', () => {
  const charger = device('charger')
  charger.tell('charge_current', 5)
  charger.tell('start')
  const phases = charger.trace(120, () => charger.value('phase'))
  expect(phases).toContain('too_hot')
  expect(Math.max(...charger.trace(5, () => charger.number('temperature')))).toBeLessThan(50)
  while (charger.value('phase') === 'too_hot') {
    expect(charger.refusal('start')).toContain('hot')
    charger.step(5)
  }
  expect(charger.number('temperature')).toBeLessThan(40)
})

test('[DK-56] stopped, no current flows, and what was charged stays', () => {
  const charger = device('charger')
  charger.tell('start')
  charger.step(60)
  const charge = charger.number('state_of_charge')
  charger.tell('stop')
  charger.step(5)
  expect([charger.value('phase'), charger.number('current')]).toEqual(['idle', 0])
  expect(charger.number('state_of_charge')).toBeGreaterThanOrEqual(charge)
})

test.each(['lead-free', 'leaded', 'low-temperature'])(
  '[DK-57] the oven follows the profile %s',
  (profile) => {
    const oven = device('oven')
    oven.tell('profile', profile)
    oven.tell('start')
    const seen = oven.trace(600, () => ({
      stage: oven.value('stage'),
      target: oven.value('target'),
      temperature: oven.number('temperature'),
    }))
    const stages = seen.map(({ stage }) => stage).filter((stage, index, all) => stage !== all[index - 1])
    expect(stages).toEqual(['preheat', 'soak', 'reflow', 'cool', 'idle'])
    const errors = seen.flatMap(({ target, temperature }) =>
      typeof target === 'number' ? [Math.abs(temperature - target)] : [],
    )
    expect(Math.max(...errors)).toBeLessThan(10)
    expect(leap(seen.map(({ temperature }) => temperature))).toBeLessThan(1)
    expect(seen.at(-1)?.temperature).toBeLessThan(50)
    expect(oven.number('time_above_liquidus')).toBeGreaterThanOrEqual(30)
    expect(oven.number('time_above_liquidus')).toBeLessThanOrEqual(90)
  },
)

test('[DK-57] the board lags behind the oven', () => {
  const oven = device('oven')
  oven.tell('start')
  oven.step(60)
  const lag = oven.number('temperature') - oven.number('board_temperature')
  expect(lag).toBeGreaterThan(5)
  expect(lag).toBeLessThan(20)
})

test('[DK-57] aborted, the heater is off and the oven cools', () => {
  const oven = device('oven')
  oven.tell('start')
  oven.step(120)
  const hot = oven.number('temperature')
  oven.tell('abort')
  expect([oven.number('heater'), oven.value('stage')]).toEqual([0, 'idle'])
  oven.step(60)
  expect(oven.number('temperature')).toBeLessThan(hot - 40)
})

test('[DK-47] the oven keeps its profile while it runs, and starts only when cool', () => {
  const oven = device('oven')
  oven.tell('start')
  expect(oven.refusal('start')).toContain('Abort')
  expect(oven.refusal('profile', 'leaded')).toContain('Abort')
  oven.step(120)
  oven.tell('abort')
  expect(oven.refusal('start')).toContain('60 °C')
  oven.step(180)
  oven.tell('start')
})

test('[DK-58] pumping raises the pressure and warms the gas, the valve lets it out', () => {
  const chamber = device('pressure')
  chamber.tell('valve', 0)
  chamber.tell('pump', 60)
  const pressures = chamber.trace(15, () => chamber.number('pressure'))
  expect(leap(pressures)).toBeLessThan(3)
  expect(pressures.at(-1)).toBeGreaterThan(200)
  expect(chamber.number('temperature')).toBeGreaterThan(35)
  chamber.tell('pump', 0)
  const held = chamber.number('pressure')
  chamber.tell('valve', 100)
  chamber.step(5)
  expect(chamber.number('pressure')).toBeLessThan(held - 50)
  chamber.step(120)
  expect(Math.abs(chamber.number('pressure') - 101)).toBeLessThan(3)
})

test('[DK-58] closed and at rest, the chamber loses little', () => {
  const chamber = device('pressure')
  chamber.tell('valve', 0)
  chamber.tell('pump', 100)
  chamber.step(8)
  chamber.tell('pump', 0)
  chamber.step(60)
  const cooled = chamber.number('pressure')
  chamber.step(20)
  expect(chamber.number('pressure')).toBeGreaterThan(cooled * 0.98)
})

test('[DK-58] the relief valve opens before the pressure leaves its range', () => {
  const chamber = device('pressure')
  chamber.tell('valve', 0)
  chamber.tell('pump', 100)
  const seen = chamber.trace(120, () => [chamber.number('pressure'), chamber.value('relief')] as const)
  expect(seen.some(([, isOpen]) => isOpen === true)).toBe(true)
  expect(Math.max(...seen.map(([pressure]) => pressure))).toBeLessThan(620)
  while (chamber.value('relief') !== true) chamber.step(0.05)
  expect(chamber.refusal('pump', 50)).toContain('relief')
  chamber.tell('pump', 0)
})
