import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withCompiledCode } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Around } from '../../src/files/disk.store.ts'
import type { PasteFolder } from '../../src/ports.ts'
import { crashAt, withoutLinks } from './crash.ts'
import type { Victim } from './kill-process.ts'
import { expectNoOrphans } from './orphans.ts'
import { type Project, startProject } from './project.ts'
import { SCENARIOS, TAKEN } from './scenarios.ts'

const SCRIPT = join(dirname(fileURLToPath(import.meta.url)), 'kill-process.ts')
/** As many at once as there are cores in CI. */
const AT_ONCE = 2

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

/** Does work for all numbers, a few at once. */
async function forEachStep(count: number, work: (step: number) => Promise<void>): Promise<void> {
  const steps = Array.from({ length: count }, (_, step) => step).values()
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
  readonly ends: unknown[]
  readonly found: unknown[]
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
    scene.ends[step] = signal
    scene.found[step] = await openAndLook(project)
  }
}

describe('killed at every step', () => {
  const names = ['add', 'rename', 'undo', 'remove', 'bring back']
  const scenes: Scene[] = []
  beforeAll(async () => {
    for (const name of names) scenes.push({ name, ...(await rehearse(name)), ends: [], found: [] })
    const longest = Math.max(...scenes.map(({ steps }) => steps.length))
    await forEachStep(longest + 1, (step) =>
      killAt(
        step,
        scenes.filter(({ steps }) => step <= steps.length),
      ),
    )
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
    expect(ends).toEqual(Array.from({ length: steps.length + 1 }, () => 'SIGKILL'))
    expect(found).toHaveLength(steps.length + 1)
    for (const each of found) expect([old, after]).toContainEqual(each)
    expect(found.at(0)).toEqual(old)
    expect(found.at(-1)).toEqual(after)
  })
})

test.each(
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

test.each(Object.keys(SCENARIOS))(
  '[E-62] after %s was ended at any step, the start that repairs can be ended at any step as well',
  async (name) => {
    await using rehearsal = await rehearse(name)
    const { before, old, after, operateOn, steps } = rehearsal
    // Each end of the operation meets every fifth end of the start, shifted: all meet in the end.
    await forEachStep(steps.length - 1, async (step) => {
      const first = step + 1
      for (let second = first % 5, isOver = false; !isOver; second += 5) {
        await using project = await startProject(before)
        await crashAt({ project, at: first, operate: operateOn(project) })
        ;({ isOver } = await crashAt({ project, at: second, fromStart: true }))
        expect([old, after]).toContainEqual(await openAndLook(project))
      }
    })
  },
  60_000,
)
