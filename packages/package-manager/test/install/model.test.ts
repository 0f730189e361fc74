import { isDeepStrictEqual } from 'node:util'
import { depth } from '@patchbay/testkit/depth'
import { array, assert, asyncProperty, constantFrom, integer, option, record } from 'fast-check'
import { expect, test } from 'vitest'
import type { PackageManager } from '../../src/install/manager.ts'
import { KEEP } from './blinky.ts'
import { crashAt } from './crash.ts'
import { BLINKY, type Installation, startInstallation } from './installation.ts'
import { Shop } from './shop.ts'

const RUNS = depth({ common: 12, deep: 1_000 })

type Tree = Readonly<Record<string, string>>
interface Version {
  readonly version: string
  readonly tree: Tree
}
type Model = { readonly current: Version; readonly previous?: Version } | undefined

const NAME = 'com_example_blinky'
const SHIPPED: Readonly<Record<string, Tree>> = {
  '1.0.0': { [`plugins/${NAME}/main.py`]: 'one', [`plugins/${NAME}/settings.ini`]: 'one' },
  '2.0.0': { [`plugins/${NAME}/main.py`]: 'two', [`footprints/${NAME}/led.mod`]: 'led' },
  '3.0.0': { [`colors/${NAME}/dark.json`]: 'dark', [`colors/${NAME}/settings.ini`]: 'three' },
}
const FILES = [`plugins/${NAME}/settings.ini`, `colors/${NAME}/settings.ini`, `plugins/${NAME}/notes.txt`]

const OPERATIONS = ['1.0.0', '2.0.0', '3.0.0', 'update', 'rollback', 'remove', ...FILES] as const
type Operation = (typeof OPERATIONS)[number]

function openModelShop(): Shop {
  const shop = new Shop()
  for (const [version, tree] of Object.entries(SHIPPED)) {
    const files = Object.entries(tree).map(([path, text]) => [path.replace(`/${NAME}`, ''), text])
    shop.add(BLINKY, version, Object.fromEntries(files), KEEP)
  }
  return shop
}

function put(model: Model, { version, tree }: Version): Model {
  const kept = Object.entries(model?.current.tree ?? {}).filter(([path]) => path.endsWith('/settings.ini'))
  const current = { version, tree: { ...tree, ...Object.fromEntries(kept) } }
  return model === undefined ? { current } : { current, previous: model.current }
}

/** What an operation should do, in a few lines. */
function predict(model: Model, operation: Operation, text: string): Model {
  if (operation in SHIPPED) {
    if (model?.current.version === operation) return model
    return put(model, { version: operation, tree: SHIPPED[operation] ?? {} })
  }
  if (model === undefined) return model
  if (operation === 'remove') return undefined
  if (operation === 'rollback') return model.previous === undefined ? model : put(model, model.previous)
  if (operation === 'update')
    return model.current.version === '3.0.0'
      ? model
      : put(model, { version: '3.0.0', tree: SHIPPED['3.0.0'] ?? {} })
  const tree = { ...model.current.tree, [operation]: text }
  return { ...model, current: { ...model.current, tree } }
}

async function perform(manager: PackageManager, operation: Operation): Promise<void> {
  const [listed] = await manager.list()
  if (operation in SHIPPED) await manager.install(BLINKY, { version: operation })
  else if (listed === undefined) return
  else if (operation === 'remove') await manager.remove(BLINKY)
  else if (operation === 'update') await manager.update()
  else if (operation === 'rollback' && listed.previousVersion !== undefined) await manager.rollback(BLINKY)
}

async function look(installation: Installation) {
  const [listed] = await (await installation.open()).list()
  return { tree: await installation.tree(), version: listed?.version, previous: listed?.previousVersion }
}

function describeModel(model: Model) {
  return {
    tree: model?.current.tree ?? {},
    version: model?.current.version,
    previous: model?.previous?.version,
  }
}

interface Move {
  readonly operation: Operation
  /** The step that is never passed. */
  readonly crash: number | null
  /** The one that comes to put things in order may crash as well. */
  readonly crashAgain: number | null
}

/** Whether it crashed. */
async function make(
  installation: Installation,
  { operation, crash, crashAgain }: Move,
  text: string,
): Promise<boolean> {
  if (FILES.includes(operation)) {
    await installation.write(operation, text)
    return false
  }
  const hasCrashed = await crashAt(installation, crash ?? 'never', (manager) => perform(manager, operation))
  if (hasCrashed && crashAgain !== null) await crashAt(installation, crashAgain, async () => undefined)
  return hasCrashed
}

test('[A-366] any sequence of operations with crashes anywhere leaves what the model says', async () => {
  const moves = record({
    operation: constantFrom(...OPERATIONS),
    crash: option(integer({ min: 0, max: 24 })),
    crashAgain: option(integer({ min: 0, max: 6 })),
  })
  let crashes = 0
  const shop = openModelShop()
  await assert(
    asyncProperty(array(moves, { minLength: 2, maxLength: 8 }), async (sequence) => {
      await using installation = await startInstallation(shop)
      let model: Model
      for (const [index, move] of sequence.entries()) {
        const text = `text ${index}`
        // A file in the place of a package that is not installed is another story.
        if (model === undefined && FILES.includes(move.operation)) continue
        const hasCrashed = await make(installation, move, text)
        crashes += Number(hasCrashed)
        const next = predict(model, move.operation, text)
        const found = await look(installation)
        const possible = hasCrashed ? [next, model] : [next]
        expect(possible.map(describeModel)).toContainEqual(found)
        model = possible.find((each) => isDeepStrictEqual(describeModel(each), found))
      }
    }),
    { numRuns: RUNS },
  )
  expect(crashes).toBeGreaterThan(RUNS / 4)
}, 240_000)
