import { HANDLE_PATTERN, shownText } from '@patchbay/contracts/core'
import { HANDLE_LENGTH } from '@patchbay/contracts/limits'
import { type TSchema, Type } from 'typebox'
import type { Layout } from './layout.ts'
import { LAYOUT_LIMITS } from './limits.ts'

/** A description completes "must be …": `checkLayout` says it of a value that does not fit. */
export const STRICT = { additionalProperties: false } as const

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const OWNER = HANDLE_PATTERN.slice(1, -1)

export const id = Type.String({ pattern: `^${UUID}$`, description: 'a UUID in lower case' })

export const title = shownText(
  LAYOUT_LIMITS.titleLength,
  `1 to ${LAYOUT_LIMITS.titleLength} characters that show, with single blanks between them`,
)

export const icon = Type.String({
  pattern: `^[a-z0-9-]{1,${LAYOUT_LIMITS.iconLength}}$`,
  description: `1 to ${LAYOUT_LIMITS.iconLength} lower-case letters, digits and hyphens`,
})

export const tabSchema = Type.Object(
  {
    id,
    panel: Type.String({
      pattern: `^(?=[^/]{1,${HANDLE_LENGTH}}/)${OWNER}/${UUID}$`,
      description: 'a panel of the catalog, <owner>/<panel_uuid>',
    }),
    title,
    icon: Type.Optional(icon),
  },
  STRICT,
)

export const leafOf = <Item extends TSchema>(tab: Item) =>
  Type.Object(
    {
      type: Type.Literal('leaf'),
      id,
      tabs: Type.Array(tab, {
        maxItems: LAYOUT_LIMITS.tabs,
        description: `a list of at most ${LAYOUT_LIMITS.tabs} tabs`,
      }),
      activeTabId: Type.Union([id, Type.Null()], { description: 'the id of a tab of the leaf, or null' }),
    },
    STRICT,
  )

export const splitOf = <Item extends TSchema>(child: Item) =>
  Type.Object(
    {
      type: Type.Literal('split'),
      id,
      direction: Type.Union([Type.Literal('row'), Type.Literal('column')], {
        description: '"row" or "column"',
      }),
      sizes: Type.Array(Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }), {
        minItems: 2,
        maxItems: LAYOUT_LIMITS.leaves,
        description: 'a list of fractions between 0 and 1, one for each child',
      }),
      children: Type.Array(child, {
        minItems: 2,
        maxItems: LAYOUT_LIMITS.leaves,
        description: `a list of 2 to ${LAYOUT_LIMITS.leaves} splits and leaves`,
      }),
    },
    STRICT,
  )

export const layoutOf = <Node extends TSchema>(root: Node) => Type.Object({ root }, STRICT)

/** As many levels as a layout may have, and no reference: no input can send a validator deeper than that. */
function nodeOf(levels: number): TSchema {
  const leaf = leafOf(tabSchema)
  return levels === 1 ? leaf : Type.Union([leaf, splitOf(nodeOf(levels - 1))])
}

/** The shape of a layout, for documents and validators. What a shape cannot say is in `checkLayout`. */
export const layoutSchema = Type.Unsafe<Layout>(layoutOf(nodeOf(LAYOUT_LIMITS.depth)))
