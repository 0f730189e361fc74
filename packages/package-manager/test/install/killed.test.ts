import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deepTest, isDeep } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { INSTALLED_ONE, openShop } from './blinky.ts'
import { crashAt } from './crash.ts'
import { BLINKY, type Installation, listFiles, startInstallation } from './installation.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'

const SCRIPT = join(dirname(fileURLToPath(import.meta.url)), 'crash-process.ts')
/** Loading the program takes longer than the operation; as many at once as there are cores in CI. */
const AT_ONCE = 2

let cache = ''
beforeAll(async () => {
  if (!isDeep) return
  cache = await mkdtemp(join(tmpdir(), 'patchbay-compiled-'))
  // A process that is killed does not store what it compiled: one that is not does it for all.
  await using installation = await startInstallation(openShop())
  await runKilled(installation.root, 'install', -1)
})
afterAll(async () => (cache === '' ? undefined : rm(cache, { recursive: true, force: true })))

/** All that can be told from outside: what the tool sees, what the manager says, and what it keeps. */
async function look(installation: Installation) {
  const manager = await installation.open()
  const [listed] = await manager.list()
  const kept = await listFiles(installation.state, '')
  return {
    tree: await installation.tree(),
    version: listed?.version,
    previous: listed?.previousVersion,
    isWhole: (await manager.check()).every(({ isWhole }) => isWhole),
    kept: kept.map((path) => path.replace(/^(packages\/\w+)\/\d+/, '$1/n')).toSorted(),
  }
}

async function copyOf(template: Installation): Promise<Installation> {
  const copy = await startInstallation(template.shop)
  await cp(template.root, copy.root, { recursive: true })
  return copy
}

async function runKilled(root: string, name: string, last: number): Promise<string | number> {
  const child = spawn(process.execPath, [SCRIPT, root, name, String(last)], {
    env: cache === '' ? process.env : { ...process.env, NODE_COMPILE_CACHE: cache },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code, signal] = await once(child, 'exit')
  return signal ?? code
}

async function countSteps(before: Installation, { operate }: Scenario) {
  await using copy = await copyOf(before)
  const steps: string[] = []
  await crashAt(copy, 'never', operate, steps)
  return { steps, after: await look(copy) }
}

/** By a kill in the deep run; in the common one by a step that is never passed, and by a kill around the commit of an update. */
async function isEndedAt(
  copy: Installation,
  [name, { operate }]: readonly [string, Scenario],
  last: number,
  commit: number,
): Promise<boolean> {
  const isKilled = isDeep || (name === 'update' && (last === commit - 1 || last === commit))
  if (isKilled) return (await runKilled(copy.root, name, last)) === 'SIGKILL'
  return await crashAt(copy, last, operate)
}

test.each(Object.entries(SCENARIOS))(
  '[A-361] %s, ended at every step, leaves the package whole and can be repeated',
  async (name, scenario) => {
    await using before = await startInstallation(openShop())
    await scenario.prepare(before)
    const old = await look(before)
    const { steps, after } = await countSteps(before, scenario)
    expect(steps.length).toBeGreaterThan(8)
    const commit = steps.indexOf('journal written') - 1
    const outcomes: string[] = []
    const queue = steps.keys()
    const work = async () => {
      for (const last of queue) {
        await using copy = await copyOf(before)
        expect(await isEndedAt(copy, [name, scenario], last, commit)).toBe(true)
        const found = await look(copy)
        expect([old, after]).toContainEqual(found)
        outcomes[last] = found.version === old.version ? 'old' : 'new'
        await scenario.operate(await copy.open())
        expect(await look(copy)).toEqual(after)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    // Once the journal is there, everything goes forward.
    expect(outcomes).toEqual(steps.map((_, last) => (last < commit ? 'old' : 'new')))
  },
  120_000,
)

deepTest('[A-361] killed while a failed update is undone, the package is whole', async () => {
  for (let later = 0; later < 8; later += 1) {
    await using installation = await startInstallation(openShop())
    await (await installation.open()).install(BLINKY, { version: '1.0.0' })
    const { promise: crashed, resolve } = Promise.withResolvers<void>()
    let seen: number | undefined
    const step = (name: string) => {
      if (seen !== undefined && ++seen > later) return (resolve(), new Promise<void>(() => undefined))
      if (seen === undefined && name === 'state written') {
        seen = 0
        throw Object.assign(new Error('input/output error'), { code: 'EIO', errno: -5 })
      }
      return undefined
    }
    const manager = await installation.open({ deps: { step } })
    await Promise.race([crashed, manager.update(BLINKY).catch(() => undefined)])
    await rm(join(installation.root, '.patchbay.lock'), { force: true })
    const { tree, version, isWhole } = await look(installation)
    expect(isWhole).toBe(true)
    expect(Object.keys(tree).includes('resources/com_example_blinky/icon.txt')).toBe(version === '1.0.0')
    expect(tree).toMatchObject(
      version === '1.0.0' ? INSTALLED_ONE : { 'plugins/com_example_blinky/main.py': 'two' },
    )
  }
})
