import { LIMITS } from '@patchbay/contracts/limits'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { step } from '../src/step.ts'
import {
  type Effect,
  type Ending,
  isRunning,
  type Memory,
  nextDeadline,
  type Supervision,
  type SupervisionEvent,
  startSupervision,
} from '../src/supervision.ts'
import { backoffMs, TIMINGS } from '../src/timings.ts'

const MEMORY: Memory = {
  wanted: 'running',
  switchedTo: undefined,
  restarts: { exited: 0, unhealthy: 0, commanded: 0 },
  lastExit: undefined,
}
const CRASH: Ending = {
  at: '2026-01-01T00:00:00.000Z',
  code: 1,
  signal: null,
  startFailure: undefined,
  known: true,
  lastErrors: [],
}
const SECOND = 1_000
const MINUTE = 60 * SECOND

/** A supervision that is told what happens and when, and remembers what it asked for. */
class Bench {
  state: Supervision
  now = 0
  effects: Effect['type'][] = []

  constructor(memory: Partial<Memory> = {}) {
    this.state = startSupervision({ ...MEMORY, ...memory }, true)
  }

  tell(event: SupervisionEvent, after = 0): this {
    this.now += after
    const { state, effects } = step(this.state, event, this.now, TIMINGS)
    this.state = state
    this.effects = effects.map(({ type }) => type)
    return this
  }

  check(ok: boolean, after = 0, { timedOut = false, counts = true } = {}): this {
    const check = { at: '', ok, durationMs: 1, reason: ok ? undefined : 'no', timedOut }
    return this.tell({ type: 'checked', run: this.state.run, counts, check }, after)
  }

  exit(after = 0): this {
    return this.tell({ type: 'exited', run: this.state.run, ending: CRASH }, after)
  }

  /** Lets the waiting time pass and the place be free. */
  retry(): this {
    this.now = nextDeadline(this.state) ?? this.now
    return this.tell({ type: 'time' }).free()
  }

  free(): this {
    return this.tell({ type: 'examined', finding: { kind: 'free' } })
  }

  started(): this {
    return this.tell({ type: 'boot' }).free()
  }

  healthy(): this {
    return this.started().check(true)
  }

  get phase(): Supervision['phase'] {
    return this.state.phase
  }

  get waitMs(): number {
    return this.phase.name === 'backing-off' ? this.phase.retryAt - this.now : -1
  }
}

test('[B-300] the numbers are those of the contract', () => {
  expect(TIMINGS).toMatchObject({
    pollIntervalMs: 10_000,
    healthTimeoutMs: 5_000,
    failuresBeforeRestart: 3,
    backoffFirstMs: 1_000,
    backoffMostMs: 300_000,
    crashLoopAfter: 5,
    drainMs: 35_000,
    unresponsiveGraceMs: 1_000,
  })
  expect(TIMINGS.pollIntervalMs).toBe(LIMITS.watchdogPollIntervalMs)
  expect(TIMINGS.healthTimeoutMs).toBeLessThan(TIMINGS.pollIntervalMs)
})

test('[B-302] one that hangs right after a good check has a successor within 40 s, with time left to start', () => {
  const { pollIntervalMs, healthTimeoutMs, unresponsiveGraceMs } = TIMINGS
  const bench = new Bench().healthy()
  const begun = bench.now
  for (const after of [pollIntervalMs + healthTimeoutMs, pollIntervalMs, pollIntervalMs])
    bench.check(false, after, { timedOut: true })
  expect(bench.effects).toEqual(['terminate'])
  expect(bench.tell({ type: 'time' }, unresponsiveGraceMs).effects).toEqual(['kill'])
  expect(bench.exit().free().effects).toEqual(['spawn'])
  expect(bench.now - begun).toBeLessThanOrEqual(37 * SECOND)
})

describe('[B-301] three failures in a row', () => {
  test('lead to a restart, two do not', () => {
    const bench = new Bench().healthy().check(false).check(false)
    expect(bench.phase.name).toBe('unhealthy')
    expect(bench.effects).toEqual([])
    bench.check(false)
    expect(bench.phase.name).toBe('stopping')
    expect(bench.effects).toEqual(['terminate'])
    expect(bench.exit(2 * SECOND).effects).toEqual(['examine'])
    expect(bench.free().state.restarts).toEqual({ exited: 0, unhealthy: 1, commanded: 0 })
  })

  test('a good answer between them clears the count', () => {
    const bench = new Bench().healthy().check(false).check(false).check(true).check(false).check(false)
    expect(bench.phase.name).toBe('unhealthy')
    expect(bench.state.failures).toBe(2)
  })

  test('news of an earlier run do not count', () => {
    const bench = new Bench().healthy()
    const late = { at: '', ok: false, durationMs: 1, reason: 'no', timedOut: true }
    for (let count = 0; count < 5; count += 1)
      bench.tell({ type: 'checked', run: bench.state.run - 1, counts: true, check: late })
    bench.tell({ type: 'exited', run: bench.state.run - 1, ending: CRASH })
    expect(bench.phase.name).toBe('healthy')
  })
})

test('[B-304] with auto-restart off failures and exits are shown and nothing is restarted', () => {
  const bench = new Bench({ switchedTo: false }).healthy()
  for (let count = 0; count < 10; count += 1) bench.check(false)
  expect(bench.phase.name).toBe('unhealthy')
  expect(bench.state.failures).toBe(10)
  bench.exit()
  expect(bench.phase).toEqual({ name: 'stopped', reason: 'It went down, and auto-restart is off.' })
  expect(bench.state.lastExit?.reason).toBe('It exited with code 1.')
  expect(bench.tell({ type: 'poll' }).effects).toEqual([])
  expect(nextDeadline(bench.state)).toBeUndefined()
})

test('[B-305] a starting gateway is asked often and fails by regular checks only', () => {
  const bench = new Bench().started()
  for (let count = 0; count < 20; count += 1) {
    expect(bench.tell({ type: 'time' }, TIMINGS.startProbeMs).effects).toEqual(['check'])
    bench.check(false, 0, { counts: false })
  }
  expect(bench.state.failures).toBe(0)
  expect(bench.check(true, 0, { counts: false }).phase.name).toBe('healthy')
  const hopeless = new Bench().started().check(false).check(false).check(false)
  expect(hopeless.phase.name).toBe('stopping')
})

test('[B-306] SIGKILL follows when the drain is over, not before, and again if it did not help', () => {
  const bench = new Bench().healthy().tell({ type: 'command', command: 'stop' })
  expect(bench.effects).toEqual(['terminate'])
  expect(bench.tell({ type: 'time' }, TIMINGS.drainMs - 1).effects).toEqual([])
  expect(bench.tell({ type: 'time' }, 1).effects).toEqual(['kill'])
  expect(bench.tell({ type: 'time' }, TIMINGS.killRepeatMs).effects).toEqual(['kill'])
  expect(bench.exit().phase.name).toBe('stopped')
})

test.each([
  [true, 1_000],
  [false, 35_000],
])('[B-307] silence (%s) decides how long it may drain: %d ms', (timedOut, graceMs) => {
  const bench = new Bench().healthy()
  for (let count = 0; count < 3; count += 1) bench.check(false, 10 * SECOND, { timedOut })
  expect(nextDeadline(bench.state)).toBe(bench.now + graceMs)
})

describe('[B-310] backoff', () => {
  test('doubles from 1 s and never exceeds 300 s', () => {
    const waits = Array.from({ length: 12 }, (_, index) => backoffMs(index + 1, TIMINGS) / 1000)
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
    expect(backoffMs(5_000, TIMINGS)).toBe(300_000)
  })

  test('is waited for, to the millisecond', () => {
    const bench = new Bench().started().exit()
    expect(bench.waitMs).toBe(1_000)
    expect(bench.tell({ type: 'time' }, 999).effects).toEqual([])
    expect(bench.tell({ type: 'time' }, 1).effects).toEqual(['examine'])
    expect(bench.free().effects).toEqual(['spawn'])
    expect(bench.exit().waitMs).toBe(2_000)
  })

  test('the time that a hanging gateway took to end counts', () => {
    const bench = new Bench().healthy().check(false).check(false).check(false, 0, { timedOut: true })
    bench.exit(400)
    expect(bench.waitMs).toBe(600)
  })
})

test('[B-311] a boot crasher is tried forever, at the longest wait', () => {
  const bench = new Bench().started()
  for (let count = 0; count < 30; count += 1) bench.exit().retry()
  expect(bench.phase.name).toBe('starting')
  expect(bench.exit().waitMs).toBe(300_000)
  expect(bench.state.crashes).toBe(31)
  expect(bench.state.restarts.exited).toBe(30)
})

describe('[B-312] the count', () => {
  test('is cleared by one healthy answer', () => {
    const bench = new Bench().started()
    for (let count = 0; count < 6; count += 1) bench.exit().retry()
    expect(bench.state.crashes).toBe(6)
    expect(bench.check(true).state.crashes).toBe(0)
    expect(bench.exit().waitMs).toBe(1_000)
  })

  test('never grows for a gateway that was healthy each time, however it ends', () => {
    const bench = new Bench().healthy()
    for (let count = 0; count < 10; count += 1) {
      expect(bench.exit().waitMs).toBe(1_000)
      bench.retry().check(true)
      bench.check(false).check(false).check(false, 0, { timedOut: true })
      expect(bench.exit().waitMs).toBe(1_000)
      bench.retry().check(true)
    }
    expect(bench.state.crashes).toBe(0)
  })

  test.each(['start', 'restart'] as const)('is cleared by %s', (command) => {
    const bench = new Bench().started().exit().retry().exit()
    expect(bench.tell({ type: 'command', command }).effects).toEqual(['examine'])
    expect(bench.free().exit().waitMs).toBe(1_000)
  })
})

describe('[B-324] a stopped gateway stays stopped', () => {
  const nothing: SupervisionEvent[] = [
    { type: 'poll' },
    { type: 'time' },
    { type: 'switch', autoRestart: false },
    { type: 'switch', autoRestart: true },
    { type: 'examined', finding: { kind: 'free' } },
  ]
  test('after a stop, whatever happens', () => {
    const bench = new Bench().healthy().tell({ type: 'command', command: 'stop' }).exit()
    for (const event of nothing) expect(bench.tell(event, MINUTE).effects).toEqual([])
    expect(bench.phase.name).toBe('stopped')
  })

  test('when the watchdog starts again', () => {
    const bench = new Bench({ wanted: 'stopped' }).started()
    expect(bench.phase.name).toBe('stopped')
    expect(bench.effects).toEqual([])
  })

  test('when it was in the middle of a restart or a wait', () => {
    const restarting = new Bench().healthy().tell({ type: 'command', command: 'restart' })
    expect(restarting.tell({ type: 'command', command: 'stop' }).exit().phase.name).toBe('stopped')
    const waiting = new Bench().started().exit().tell({ type: 'command', command: 'stop' })
    expect(waiting.tell({ type: 'time' }, 10 * MINUTE).effects).toEqual([])
  })

  test('a gateway that was left running although it was to be stopped is ended', () => {
    const record = { pid: 4242, instance: 'x', startTime: '1', command: ['node'], startedAt: '' }
    const bench = new Bench({ wanted: 'stopped' }).tell({ type: 'boot' })
    bench.tell({ type: 'examined', finding: { kind: 'ours', record } })
    expect(bench.effects).toEqual(['adopt', 'terminate'])
    expect(bench.exit().phase.name).toBe('stopped')
  })
})

describe('[B-309] the end of the watchdog', () => {
  const record = { pid: 4242, instance: 'x', startTime: '1', command: ['node'], startedAt: '' }
  const ours: SupervisionEvent = { type: 'examined', finding: { kind: 'ours', record } }

  test('ends the gateway and leaves what was wanted as it is', () => {
    const bench = new Bench().healthy().tell({ type: 'close', leaveRunning: false })
    expect(bench.effects).toEqual(['terminate'])
    expect(bench.exit().state).toMatchObject({ wanted: 'running', phase: { name: 'stopped' } })
  })

  test('also ends one that is found only then', () => {
    const bench = new Bench().tell({ type: 'boot' }).tell({ type: 'close', leaveRunning: false })
    expect(bench.tell(ours).effects).toEqual(['adopt', 'terminate'])
    const none = new Bench().tell({ type: 'boot' }).tell({ type: 'close', leaveRunning: false })
    expect(none.free()).toMatchObject({ effects: [], phase: { name: 'stopped' } })
  })

  test('touches nothing when the gateway is to be left running', () => {
    const running = new Bench().healthy().tell({ type: 'close', leaveRunning: true })
    expect(running).toMatchObject({ effects: [], phase: { name: 'stopped' } })
    const looking = new Bench().tell({ type: 'boot' }).tell({ type: 'close', leaveRunning: true })
    expect(looking.tell(ours).effects).toEqual([])
  })

  test('starts nothing anymore', () => {
    const bench = new Bench().started().exit().tell({ type: 'close', leaveRunning: false })
    expect(bench.tell({ type: 'time' }, MINUTE).effects).toEqual([])
  })
})

describe('[B-326] the switch', () => {
  test('off cancels a start that waits', () => {
    const bench = new Bench().started().exit().tell({ type: 'switch', autoRestart: 'toggle' })
    expect(bench.phase.name).toBe('stopped')
    expect(bench.tell({ type: 'time' }, MINUTE).effects).toEqual([])
  })

  test('on takes up what went down meanwhile', () => {
    const bench = new Bench({ switchedTo: false }).started().exit()
    expect(bench.tell({ type: 'switch', autoRestart: true }).effects).toEqual(['examine'])
    expect(bench.free().state.restarts.exited).toBe(1)
  })
})

test('[B-334] what cannot be told is looked at again with each poll, and nothing is started meanwhile', () => {
  const bench = new Bench().tell({ type: 'boot' })
  bench.tell({ type: 'examined', finding: { kind: 'unproven', reason: 'who knows' } })
  expect(bench.phase).toEqual({ name: 'refused', reason: 'who knows' })
  expect(bench.tell({ type: 'poll' }).effects).toEqual(['examine'])
  expect(bench.free().effects).toEqual(['spawn'])
})

test('[B-314] no order of events throws, signals or starts anything out of turn', () => {
  const event: fc.Arbitrary<SupervisionEvent> = fc.oneof(
    fc.constantFrom<SupervisionEvent>(
      { type: 'boot' },
      { type: 'poll' },
      { type: 'time' },
      { type: 'switch', autoRestart: true },
      { type: 'switch', autoRestart: false },
      { type: 'command', command: 'start' },
      { type: 'command', command: 'stop' },
      { type: 'command', command: 'restart' },
      { type: 'examined', finding: { kind: 'free' } },
      { type: 'examined', finding: { kind: 'foreign', holder: 'x' } },
      { type: 'examined', finding: { kind: 'unproven', reason: 'x' } },
    ),
    fc.record({
      type: fc.constant('exited' as const),
      run: fc.integer({ min: 0, max: 4 }),
      ending: fc.constant(CRASH),
    }),
    fc.record({
      type: fc.constant('checked' as const),
      run: fc.integer({ min: 0, max: 4 }),
      counts: fc.boolean(),
      check: fc.record({
        at: fc.constant(''),
        ok: fc.boolean(),
        durationMs: fc.constant(1),
        reason: fc.constant('x'),
        timedOut: fc.boolean(),
      }),
    }),
  )
  const story = fc.array(fc.tuple(event, fc.integer({ min: 0, max: 400_000 })), { maxLength: 60 })
  fc.assert(
    fc.property(story, (events) => {
      const bench = new Bench()
      for (const [one, after] of events) {
        // The process boots once, and its end is reported once: both are the shell's promise.
        if (one.type === 'boot' && bench.state.run > 0) continue
        const before = bench.state
        bench.tell(one, after)
        const alive = isRunning(before) || before.phase.name === 'stopping'
        const spawns = bench.effects.includes('spawn')
        const signals = bench.effects.some((effect) => effect === 'terminate' || effect === 'kill')
        expect(spawns && (alive || before.wanted === 'stopped')).toBe(false)
        expect(signals && !alive).toBe(false)
        expect(bench.waitMs).toBeLessThanOrEqual(300_000)
      }
    }),
    { numRuns: 500 },
  )
})
