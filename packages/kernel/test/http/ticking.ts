// Started by a test: how long Node takes to queue and run a tick, with or without a collection after the first ones.
import { setImmediate, setTimeout } from 'node:timers/promises'
import { steadyTicks } from '../../src/http/steady-ticks.ts'

const [isSteady, collects] = ['steady', 'collect'].map((word) => process.argv.includes(word))
const { gc } = globalThis as { gc?: () => void }
const TICKS = 2_000

async function tick(rounds: number): Promise<number> {
  const before = process.cpuUsage()
  for (let round = 0; round < rounds; round += 1) {
    for (let i = 0; i < TICKS; i += 1) process.nextTick(() => undefined)
    await setImmediate()
  }
  const { user, system } = process.cpuUsage(before)
  return ((user + system) * 1000) / (rounds * TICKS)
}

if (isSteady) steadyTicks()
for (let i = 0; i < 20; i += 1) {
  for (let j = 0; j < 10; j += 1) process.nextTick(() => undefined)
  await setImmediate()
}
const collections = collects ? 3 : 0
for (let i = 0; i < collections; i += 1) {
  gc?.()
  await setTimeout(1)
}
const measured: number[] = []
for (let i = 0; i < 8; i += 1) measured.push(await tick(20))
process.stdout.write(`${Math.min(...measured)}\n`)
