import { isDeepStrictEqual } from 'node:util'
import { depth } from '@patchbay/testkit/depth'
import { array, assert, asyncProperty, boolean, constantFrom, integer, option, record } from 'fast-check'
import { expect, test } from 'vitest'
import type { PasteFolder } from '../../src/ports.ts'
import { crashAt, withoutLinks } from './crash.ts'
import { expectNoOrphans } from './orphans.ts'
import { addPaste, type Project, startProject } from './project.ts'

const RUNS = depth({ common: 20, deep: 1000 })

/** Pictures by name, oldest first, each with its earlier names and whether it was removed. */
interface Picture {
  readonly name: string
  readonly earlier: readonly string[]
  readonly isRemoved: boolean
}
type Model = Readonly<Record<string, Picture>>

const OPERATIONS = ['add', 'rename', 'undo', 'remove', 'occupy'] as const
const NAMES = ['login', 'chart', 'login-2'] as const

interface Action {
  readonly operation: (typeof OPERATIONS)[number]
  readonly which: number
  readonly name: (typeof NAMES)[number]
  readonly crash: number | null
  readonly crashAgain: number | null
}

/** What somebody else has put there. */
type Others = Readonly<Record<string, string>>

function free(model: Model, others: Others, wanted: string, own?: Picture): string {
  const taken = new Set([
    ...Object.values(model).flatMap((each) => (each.isRemoved || each === own ? [] : [each.name])),
    ...Object.keys(others).map((file) => file.replace('-900x600.png', '')),
  ])
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (!taken.has(name)) return name
  }
}

/** What an action should do, in a few lines. */
function predict(
  model: Model,
  others: Others,
  { operation, which, name }: Action,
  picture: string,
  first: string,
): Model {
  const chosen = Object.keys(model)[which % Math.max(1, Object.keys(model).length)] ?? ''
  const paste = model[chosen]
  if (operation === 'add')
    return { ...model, [picture]: { name: free(model, others, first), earlier: [], isRemoved: false } }
  if (paste === undefined || operation === 'occupy') return model
  const put = (next: Picture): Model => ({ ...model, [chosen]: next })
  if (paste.isRemoved)
    return operation === 'undo'
      ? put({ ...paste, name: free(model, others, paste.name, paste), isRemoved: false })
      : model
  if (operation === 'remove') return put({ ...paste, isRemoved: true })
  const last = paste.earlier.at(-1)
  if (operation === 'undo')
    return last === undefined
      ? model
      : put({ ...paste, name: free(model, others, last, paste), earlier: paste.earlier.slice(0, -1) })
  const next = free(model, others, name, paste)
  return next === paste.name ? model : put({ ...paste, name: next, earlier: [...paste.earlier, paste.name] })
}

class Run {
  readonly project: Project
  readonly hasLinks: boolean
  readonly ids: Record<string, string> = {}
  crashes = 0

  constructor(project: Project, hasLinks: boolean) {
    this.project = project
    this.hasLinks = hasLinks
  }

  /** Whether it crashed. */
  async perform(model: Model, action: Action, picture: string): Promise<boolean> {
    const { project } = this
    const inner = this.hasLinks ? {} : { inner: withoutLinks }
    const chosen = Object.keys(model)[action.which % Math.max(1, Object.keys(model).length)] ?? ''
    const operate = async (folder: PasteFolder) => {
      const id = this.ids[chosen] ?? ''
      const calls = {
        add: () => addPaste(project, folder, picture),
        rename: () => folder.rename(id, action.name, 'person'),
        undo: () => folder.undo(id),
        remove: () => folder.remove(id),
        occupy: () => project.write(`${action.name}-900x600.png`, 'of somebody else'),
      }
      // What the model leaves as it is may be refused.
      await calls[action.operation]().catch((error: { code?: string }) => {
        if (!['paste_not_found', 'nothing_to_undo'].includes(error.code ?? '')) throw error
      })
    }
    const { isOver } = await crashAt({ project, at: action.crash ?? Infinity, operate, ...inner })
    if (!isOver && action.crashAgain !== null)
      await crashAt({ project, at: action.crashAgain, fromStart: true, ...inner })
    this.crashes += Number(!isOver)
    return !isOver
  }

  /** What is to be seen, in the words of the model. */
  async look(others: Others): Promise<Model> {
    await using folder = await this.project.open(this.hasLinks ? {} : { around: withoutLinks })
    await expectNoOrphans(this.project, folder, others)
    const files = await this.project.files()
    const seen: Record<string, Picture> = {}
    for (const { id, name, earlier, optimized } of folder.list()) {
      const picture = files[optimized.file]?.replace('optimized ', '') ?? ''
      this.ids[picture] ??= id
      seen[picture] = { name, earlier: earlier.map((each) => each.name), isRemoved: false }
    }
    return seen
  }
}

function listed(model: Model): Model {
  return Object.fromEntries(Object.entries(model).filter(([, { isRemoved }]) => !isRemoved))
}

const actions = record({
  operation: constantFrom(...OPERATIONS),
  which: integer({ min: 0, max: 3 }),
  name: constantFrom(...NAMES),
  crash: option(integer({ min: 0, max: 18 })),
  crashAgain: option(integer({ min: 0, max: 12 })),
})

test('[E-63][E-64] any sequence of operations with crashes anywhere leaves what the model says', async () => {
  let crashes = 0
  await assert(
    asyncProperty(array(actions, { minLength: 3, maxLength: 9 }), boolean(), async (sequence, hasLinks) => {
      await using project = await startProject()
      const run = new Run(project, hasLinks)
      let model: Model = {}
      let others: Others = {}
      for (const [index, action] of [
        { ...(sequence[0] as Action), operation: 'add' as const },
        ...sequence,
      ].entries()) {
        const { operation, name } = action
        // Who writes over a file of ours is another story.
        const file = `${name}-900x600.png`
        const isOurs = Object.values(listed(model)).some((each) => each.name === name)
        if (operation === 'occupy' && isOurs) continue
        const picture = `picture ${index}`
        const next = predict(model, others, action, picture, 'sp-20260304-050607-089')
        const hasCrashed = await run.perform(model, action, picture)
        if (operation === 'occupy') others = { ...others, [file]: 'of somebody else' }
        const found = await run.look(others)
        const possible = hasCrashed ? [next, model] : [next]
        expect(possible.map(listed)).toContainEqual(found)
        model = possible.find((each) => isDeepStrictEqual(listed(each), found)) ?? {}
      }
      crashes += run.crashes
    }),
    { numRuns: RUNS },
  )
  expect(crashes).toBeGreaterThan(RUNS / 2)
}, 240_000)
