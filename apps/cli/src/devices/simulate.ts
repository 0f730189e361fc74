import { setTimeout as sleep } from 'node:timers/promises'
import type { AddedDevice, Device } from '@patchbay/client/workspaces'
import { readInfo } from '@patchbay/device-kit'
import { createBench, type SimulatedDevice } from '@patchbay/device-kit/simulation'
import {
  type LinkFailure,
  type SimulationEvent,
  type SimulationRun,
  startSimulation,
} from '@patchbay/device-simulator'
import { EXIT } from '../account/ending.ts'
import { nearest } from '../command/nearest.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { type AskedWorkspace, type ServerWord, withWorkspace } from '../workspace/open-workspaces.ts'
import { NO_PROGRESS, telling } from './devices.ts'
import { SIMULATION } from './words.ts'

/** Stands for all of them. */
const BENCH = 'bench'

interface Words extends ServerWord {
  readonly seconds?: number
  readonly remove?: boolean
}

/** What the devices of this run do, in words; `undefined`: nothing that is worth a line. */
type Say = (text: string | undefined) => void

/** `patchbay device simulate`: devices of the bench, connected as hardware would be, until somebody has had enough. */
export async function simulate(
  task: Task,
  text: string,
  names: readonly string[],
  words: Words,
): Promise<Outcome> {
  const { surroundings, isJson, signal } = task
  const chosen = choose(names, surroundings.now())
  const say: Say = (line) => {
    if (!isJson && line !== undefined) surroundings.print(line)
  }
  const added: string[] = []
  // "Waiting for …" would run over what the devices do.
  const within = { ...task, progress: () => NO_PROGRESS }
  let isOver = false
  try {
    const there = await findDevices(within, text, words)
    await withWorkspace(within, text, words, 'workspace', (asked) =>
      telling(asked, {}, () => run(asked, chosen, there, { signal, say, added, seconds: words.seconds })),
    ).catch((error: unknown) => {
      // Ending it is how it is meant to be used.
      if (!signal.aborted) throw error
    })
    isOver = true
  } finally {
    // What failed leaves nothing behind that this run has added.
    if (added.length > 0 && (words.remove === true || !isOver)) {
      // With a signal of its own: the one of the task has ended it.
      const tidying = { ...within, signal: new AbortController().signal }
      await withWorkspace(tidying, text, words, 'workspace', async (asked) => {
        for (const name of added) await asked.workspace.devices.remove(name)
        return { json: undefined, text: '' }
      }).catch((error: unknown) => {
        // Why it failed is the news.
        if (isOver) throw error
      })
    }
  }
  const removed = words.remove === true ? added : []
  return {
    json: { simulated: chosen.map(({ name }) => name), added, removed },
    text: SIMULATION.ended(removed),
  }
}

function choose(names: readonly string[], seed: number): readonly SimulatedDevice[] {
  const bench = createBench(seed % 2 ** 31)
  if (names.length === 0 || names.includes(BENCH)) return bench
  for (const name of names)
    if (!bench.some((each) => each.name === name)) {
      const known = bench.map((each) => each.name)
      throw new Refusal(EXIT.usage, 'bad_device', SIMULATION.unknown(name, nearest(name, known), known))
    }
  return bench.filter(({ name }) => names.includes(name))
}

type Found = ReadonlyMap<string, Device>

/** Those that the workspace has, which a key may see with a scope of its own. */
async function findDevices(task: Task, text: string, words: Words): Promise<Found> {
  const found = new Map<string, Device>()
  await withWorkspace(task, text, words, 'devices:read', async ({ workspace }) => {
    for (const device of (await workspace.devices.list()).devices) found.set(device.name, device)
    return { json: undefined, text: '' }
  })
  return found
}

interface Run {
  readonly signal: AbortSignal
  readonly say: Say
  /** Names of devices that were not there before. */
  readonly added: string[]
  readonly seconds: number | undefined
}

async function run(
  asked: AskedWorkspace,
  devices: readonly SimulatedDevice[],
  there: Found,
  { signal, say, added, seconds }: Run,
): Promise<Outcome> {
  // Before anything is added.
  for (const { name, info } of devices) refuseOther(there.get(name), info, asked)
  const running: SimulationRun[] = []
  const tell = tellerOf(devices.length, say)
  // One that has got through shows that the others will, sooner or later.
  let settle: (failure?: LinkFailure) => void = () => undefined
  const first = new Promise<LinkFailure | undefined>((resolve) => {
    settle = resolve
  })
  signal.addEventListener('abort', () => settle(), { once: true })
  try {
    for (const device of devices) {
      const { key, connection } = await admit(asked, device, there.has(device.name), added)
      if (connection === null) throw new Refusal(EXIT.unavailable, 'no_mqtt', SIMULATION.noMqtt(asked.server))
      const begun = startSimulation({
        device,
        connection,
        key,
        surroundings: { now: Date.now, random: Math.random },
        onEvent(event) {
          tell(device.name, event)
          if (event.type === 'online') settle()
          else if (event.type === 'offline') settle(event.failure)
        },
      })
      running.push(begun)
      const failure = await first
      const { host, port } = connection
      if (failure !== undefined)
        throw new Refusal(
          EXIT.unavailable,
          'mqtt_unreachable',
          SIMULATION.unreachable(`${host}:${port}`, failure.message),
        )
    }
    say(
      SIMULATION.running(
        devices.map(({ name }) => name),
        asked,
      ),
    )
    await sleep(seconds === undefined ? 2 ** 31 - 1 : seconds * 1_000, undefined, { signal })
  } finally {
    await Promise.all(running.map((each) => each.close()))
  }
  return { json: undefined, text: '' }
}

/** A device of somebody's own must not lose its key to a simulation. */
function refuseOther(found: Device | undefined, info: object, asked: AskedWorkspace): void {
  if (found === undefined) return
  const home = `${found.owner}/${found.repo}`
  const own = readInfo(JSON.stringify(info))
  const isOwn = found.manufacturer === own?.manufacturer && found.model === own?.model
  const isUnused = found.status === 'never' && found.title === titleOf(info)
  if (home !== asked.name || !(isOwn || isUnused))
    throw new Refusal(EXIT.failed, 'device_exists', SIMULATION.taken(found.name, asked))
}

const titleOf = (info: object) => `${readInfo(JSON.stringify(info))?.title} (simulated)`

/** A key is shown once, and one that lies on no disk is stolen from none: each run gets its own. */
async function admit(
  { workspace: { devices } }: AskedWorkspace,
  { name, info }: SimulatedDevice,
  isThere: boolean,
  added: string[],
): Promise<Pick<AddedDevice, 'key' | 'connection'>> {
  if (isThere) return await devices.replaceKey(name)
  const made = await devices.add({ name, title: titleOf(info) })
  added.push(name)
  return made
}

/** One line for what happens to all of them at once. */
function tellerOf(all: number, say: Say): (name: string, event: SimulationEvent) => void {
  const online = new Set<string>()
  let isStopped = false
  let isLost = false
  return (name, event) => {
    if (event.type === 'online') {
      online.add(name)
      if (isLost && online.size === all) {
        isLost = false
        say(SIMULATION.back)
      }
    } else if (event.type === 'offline') {
      const isNews = online.delete(name) && !isLost
      if (!isNews) return
      isLost = true
      say(SIMULATION.lost(name, event.failure.message))
    } else if (event.type === 'command') {
      say(SIMULATION.command(name, event.channel, event.value, event.outcome))
    } else if (event.isStopped !== isStopped) {
      isStopped = event.isStopped
      say(isStopped ? SIMULATION.stopped : SIMULATION.released)
    }
  }
}
