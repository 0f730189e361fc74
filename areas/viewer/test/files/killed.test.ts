import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deepTest, depth } from '@patchbay/testkit/depth'
import { withCompiledCode } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Around } from '../../src/files/disk.io.ts'
import type { PasteFolder } from '../../src/ports.ts'
import { crashAt, withoutLinks } from './crash.ts'
import type { Victim } from './kill-process.ts'
import { expectNoOrphans } from './orphans.ts'
import { type Project, startProject } from './project.ts'
import { SCENARIOS, TAKEN } from './scenarios.ts'

const SCRIPT = join(dirname(fileURLToPath(import.meta.url)), 'kill-process.ts')
/** As many at once as there are cores in CI. */
const AT_ONCE = 2
/** A process of its own for each step is for the deep run: ended without one, every step is tried below. */
const KILLED_EVERY = depth({ common: 8, deep: 1 })
/** How far apart the steps are at which an operation, and then the start that repairs, are ended. */
const ENDED_EVERY = depth({ common: 3, deep: 1 })
const REPAIR_ENDED_EVERY = depth({ common: 15, deep: 5 })

async function runKilled(step: number, victims: readonly Victim[]): Promise<unknown> {
  const words = victims.map((victim) => JSON.stringify(victim))
  const child = spawn(process.execPath, [SCRIPT, String(step), ...words], {
    env: withCompiledCode(),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [, signal] = await once(child, 'exit')
  return signal
}

/** All that can be told from outside. */
async function look(project: Project, folder: PasteFolder) {
  const pastes = folder.list().map((paste) => ({ ...paste, id: 'any' }))
  pastes.sort((a, b) => a.name.localeCompare(b.name))
  return { pastes, files: await project.files(), records: (await project.ids()).length }
}

async function openAndLook(project: Project) {
  await using folder = await project.open()
  await expectNoOrphans(project, folder, TAKEN)
  return await look(project, folder)
}

async function prepare(name: string): Promise<Project> {
  const project = await startProject()
  await project.write('taken-900x600-original.png', 'of somebody else')
  await using folder = await project.open()
  await SCENARIOS[name]?.prepare(project, folder)
  return project
}

/** From the first to the last, both of them in any case. */
function stepsTo(last: number, every: number): number[] {
  return [...new Set([...Array.from({ length: Math.ceil(last / every) }, (_, index) => index * every), last])]
}

/** Does work for all steps, a few at once. */
async function forEachStep(all: readonly number[], work: (step: number) => Promise<void>): Promise<void> {
  const steps = all.values()
  const run = async () => {
    for (const step of steps) await work(step)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, run))
}

/** What a scenario begins with, what comes of it, and in how many steps. */
async function rehearse(name: string, inner?: Around) {
  const before = await prepare(name)
  const old = await openAndLook(before)
  const [id = ''] = await before.ids()
  const operateOn = (project: Project) => async (folder: PasteFolder) =>
    await SCENARIOS[name]?.operate(project, folder, id)
  await using done = await startProject(before)
  const { steps } = await crashAt({
    project: done,
    at: Infinity,
    operate: operateOn(done),
    ...(inner && { inner }),
  })
  const after = await openAndLook(done)
  expect(after).not.toEqual(old)
  return {
    before,
    old,
    after,
    id,
    operateOn,
    steps,
    [Symbol.asyncDispose]: () => before[Symbol.asyncDispose](),
  }
}

type Rehearsal = Awaited<ReturnType<typeof rehearse>>

/** What was found after the process had been killed at each step. */
interface Scene extends Rehearsal {
  readonly name: string
  /** By step. */
  readonly ends: Map<number, unknown>
  readonly found: Map<number, unknown>
}

async function killAt(step: number, scenes: readonly Scene[]): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const acts: { readonly scene: Scene; readonly project: Project }[] = []
  for (const scene of scenes) acts.push({ scene, project: stack.use(await startProject(scene.before)) })
  const signal = await runKilled(
    step,
    acts.map(({ scene: { name, id }, project: { path } }) => ({ path, name, id })),
  )
  for (const { scene, project } of acts) {
    scene.ends.set(step, signal)
    scene.found.set(step, await openAndLook(project))
  }
}

describe('killed', () => {
  const names = ['add', 'rename', 'undo', 'remove', 'bring back']
  const scenes: Scene[] = []
  beforeAll(async () => {
    for (const name of names)
      scenes.push({ name, ...(await rehearse(name)), ends: new Map(), found: new Map() })
    const longest = Math.max(...scenes.map(({ steps }) => steps.length))
    await forEachStep(stepsTo(longest, KILLED_EVERY), (step) => killAt(step, scenes))
  }, 120_000)
  const sceneOf = (wanted: string): Scene => {
    const scene = scenes.find(({ name }) => name === wanted)
    if (scene === undefined) throw new Error('it was not rehearsed')
    return scene
  }
  afterAll(async () => {
    for (const scene of scenes) await scene[Symbol.asyncDispose]()
  })

  test.each(names)('[E-62] %s leaves the paste as before or as after it', (wanted) => {
    const { old, after, steps, ends, found } = sceneOf(wanted)
    expect(steps.length).toBeGreaterThan(8)
    expect(new Set(ends.values())).toEqual(new Set(['SIGKILL']))
    for (const each of found.values()) expect([old, after]).toContainEqual(each)
    expect(found.get(0)).toEqual(old)
    // Where another one has more steps, this one was over when it was killed.
    expect(found.get(Math.max(...found.keys()))).toEqual(after)
  })
})

deepTest.each(
  Object.keys(SCENARIOS).flatMap((name) => [
    { name, disk: 'with links', inner: undefined },
    { name, disk: 'without links', inner: withoutLinks },
  ]),
)('[E-62][E-64] $name on a disk $disk, ended at every step, the same', async ({ name, inner }) => {
  await using rehearsal = await rehearse(name, inner)
  const { before, old, after, operateOn, steps } = rehearsal
  for (const at of steps.keys()) {
    await using project = await startProject(before)
    await crashAt({ project, at, operate: operateOn(project), ...(inner && { inner }) })
    expect([old, after]).toContainEqual(await openAndLook(project))
  }
})

test('[E-62] a first start that is ended at any step is repeated', async () => {
  let at = 0
  for (let isOver = false; !isOver; at += 1) {
    await using project = await startProject()
    ;({ isOver } = await crashAt({ project, at, fromStart: true }))
    await using folder = await project.open()
    await expectNoOrphans(project, folder)
  }
  expect(at).toBeGreaterThan(20)
})

deepTest.each(Object.keys(SCENARIOS))(
  '[E-62] after %s was ended at any step, the start that repairs can be ended at any step as well',
  async (name) => {
    await using rehearsal = await rehearse(name)
    const { before, old, after, operateOn, steps } = rehearsal
    const firsts = stepsTo(steps.length - 2, ENDED_EVERY).map((step) => step + 1)
    // Each end of the operation meets some ends of the start, shifted: all of those are met in the end.
    await forEachStep(firsts, async (first) => {
      for (let second = first % REPAIR_ENDED_EVERY, isOver = false; !isOver; second += REPAIR_ENDED_EVERY) {
        await using project = await startProject(before)
        await crashAt({ project, at: first, operate: operateOn(project) })
        ;({ isOver } = await crashAt({ project, at: second, fromStart: true }))
        expect([old, after]).toContainEqual(await openAndLook(project))
      }
    })
  },
  60_000,
)
