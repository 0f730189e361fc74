import {
  type Arbitrary,
  array,
  boolean,
  constant,
  constantFrom,
  integer,
  letrec,
  nat,
  oneof,
  option,
  record,
  string,
  tuple,
  uuid,
} from 'fast-check'
import { nodesUnder } from '../src/find.ts'
import {
  type Direction,
  type Edge,
  emptyLayout,
  LAYOUT_LIMITS,
  type Layout,
  type LayoutChange,
  type LayoutNode,
  type LayoutRules,
  leaves,
  type Place,
  type Split,
  type Tab,
  tabs,
} from '../src/index.ts'
import { normalizeSizes } from '../src/sizes.ts'

const numbered = (number: number) => `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`

/** Few, so that tabs of one panel meet. */
const PANELS = [1, 2, 3, 4, 5, 6].map((number) => `ada/${numbered(number)}`)
const SINGLETONS = new Set(PANELS.slice(0, 2))
const PLAIN_PANEL = PANELS.at(-1) ?? ''

/** The rules that go with these layouts: two of their panels may be there once. */
export const layoutRules: LayoutRules = { isSingleton: (panel) => SINGLETONS.has(panel) }

const words = string({
  unit: constantFrom('a', 'Z', '7', 'ß', '日', '🛠', '.', '(', 'é'),
  minLength: 1,
  maxLength: 12,
})
const titles = array(words, { minLength: 1, maxLength: 4 }).map((list) => list.join(' '))
const icons = string({
  unit: constantFrom('a', 'z', '0', '-'),
  minLength: 1,
  maxLength: LAYOUT_LIMITS.iconLength,
})

/** All but its id, which a layout numbers. */
const tabContents = record({ panel: constantFrom(...PANELS), title: titles, icon: option(icons) }).map(
  ({ icon, ...content }) => ({ ...content, ...(icon !== null && { icon }) }),
)
type TabContent = Omit<Tab, 'id'>

/** The form of a tree, before it has ids and directions. */
type Form =
  | { readonly tabs: readonly TabContent[]; readonly active: number }
  | { readonly parts: readonly { readonly form: Form; readonly weight: number }[] }

const { form: forms } = letrec<{ form: Form; leaf: Form; split: Form }>((tie) => ({
  form: oneof({ maxDepth: 4, withCrossShrink: true }, tie('leaf'), tie('split')),
  leaf: record({ tabs: array(tabContents, { minLength: 1, maxLength: 3 }), active: nat() }),
  split: record({
    parts: array(record({ form: tie('form'), weight: integer({ min: 1, max: 50 }) }), {
      minLength: 2,
      maxLength: 3,
    }),
  }),
}))

/** Gives ids in order, alternates directions, and keeps the second tab of a singleton from being one. */
function build(form: Form, rootDirection: Direction): Layout {
  let given = 0
  const nextId = () => numbered((given += 1))
  const used = new Set<string>()
  const tabOf = (content: TabContent): Tab => {
    const panel = SINGLETONS.has(content.panel) && used.has(content.panel) ? PLAIN_PANEL : content.panel
    used.add(panel)
    return { ...content, id: nextId(), panel }
  }
  const nodeOf = (part: Form, direction: Direction): LayoutNode => {
    if ('parts' in part)
      return {
        type: 'split',
        id: nextId(),
        direction,
        sizes: normalizeSizes(part.parts.map(({ weight }) => weight)),
        children: part.parts.map(({ form: inner }) => nodeOf(inner, direction === 'row' ? 'column' : 'row')),
      }
    const content = part.tabs.map(tabOf)
    return { type: 'leaf', id: nextId(), tabs: content, activeTabId: pick(content, part.active)?.id ?? null }
  }
  return { root: nodeOf(form, rootDirection) }
}

/** Valid layouts of all forms that fit a screen, and now and then an empty one. */
export const layouts: Arbitrary<Layout> = oneof(
  { weight: 1, arbitrary: constant(emptyLayout(numbered(1))) },
  {
    weight: 12,
    arbitrary: tuple(forms, constantFrom<Direction>('row', 'column'))
      .map(([form, direction]) => build(form, direction))
      .filter((layout) => leaves(layout).length <= LAYOUT_LIMITS.leaves),
  },
)

const EDGES: readonly Edge[] = ['left', 'right', 'top', 'bottom']

/** A change that is not yet aimed: numbers that stand for whichever tab, leaf and split a layout has. */
export const changeSeeds = record({
  kind: oneof(
    { weight: 6, arbitrary: constantFrom('addTab' as const, 'moveTab' as const) },
    { weight: 3, arbitrary: constant('removeTab' as const) },
    {
      weight: 3,
      arbitrary: constantFrom('activateTab' as const, 'retitleTab' as const, 'resizeSplit' as const),
    },
  ),
  aim: nat(),
  /** Now and then ids that are not there, or are there and should not be. */
  isAmiss: integer({ min: 0, max: 11 }).map((number) => number === 0),
  newIds: tuple(uuid(), uuid(), uuid()),
  content: tabContents,
  place: record({
    where: constantFrom('leaf', 'edge', 'border'),
    aim: nat(),
    edge: constantFrom(...EDGES),
    index: option(nat(5)),
  }),
  activate: option(boolean()),
  weights: array(integer({ min: 1, max: 2000 }), {
    minLength: LAYOUT_LIMITS.leaves,
    maxLength: LAYOUT_LIMITS.leaves,
  }),
})
export type ChangeSeed = typeof changeSeeds extends Arbitrary<infer Seed> ? Seed : never

/** Aims a seed at what this layout has. Always of the published shape; whether it applies is another matter. */
export function changeFrom(seed: ChangeSeed, layout: Layout): LayoutChange {
  const { kind, aim, newIds, isAmiss } = seed
  const known = isAmiss ? undefined : pick(tabs(layout), aim)?.id
  const tabId = known ?? newIds[0]
  const activation = seed.activate === null ? {} : { activate: seed.activate }
  switch (kind) {
    case 'addTab': {
      const repeated = pick(tabs(layout), aim)
      const tab = isAmiss && repeated !== undefined ? repeated : { ...seed.content, id: newIds[0] }
      return { type: kind, tab, at: placeFrom(seed, layout), ...activation }
    }
    case 'moveTab':
      return { type: kind, tabId, to: placeFrom(seed, layout), ...activation }
    case 'retitleTab':
      return {
        type: kind,
        tabId,
        title: seed.content.title,
        ...(seed.content.icon !== undefined && { icon: seed.content.icon }),
      }
    case 'resizeSplit': {
      const splits = nodesUnder(layout.root).filter((node): node is Split => node.type === 'split')
      const split = pick(splits, aim)
      return {
        type: kind,
        splitId: split?.id ?? newIds[0],
        sizes: seed.weights.slice(0, isAmiss ? 1 : (split?.children.length ?? 2)),
      }
    }
    case 'removeTab':
    case 'activateTab':
      break
  }
  return { type: kind, tabId }
}

function placeFrom({ place, newIds, isAmiss }: ChangeSeed, layout: Layout): Place {
  const leafId = pick(leaves(layout), place.aim)?.id ?? newIds[1]
  if (place.where === 'leaf') return { leafId, ...(place.index !== null && { index: place.index }) }
  const newLeafId = isAmiss ? layout.root.id : newIds[1]
  const fresh = { edge: place.edge, newLeafId, newSplitId: newIds[2] }
  return place.where === 'edge' ? { leafId, ...fresh } : fresh
}

function pick<Item>(items: readonly Item[], aim: number): Item | undefined {
  return items[aim % items.length]
}
