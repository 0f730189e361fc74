import { Type } from 'typebox'
import { LAYOUT_LIMITS } from './limits.ts'
import { icon, id, layoutSchema, STRICT, tabSchema, title } from './schemas.ts'
import { LARGEST_SIZE } from './sizes.ts'

const edgePlace = {
  edge: Type.Union([
    Type.Literal('left'),
    Type.Literal('right'),
    Type.Literal('top'),
    Type.Literal('bottom'),
  ]),
  newLeafId: id,
  newSplitId: id,
}

export const placeSchema = Type.Union([
  Type.Object({ leafId: id, index: Type.Optional(Type.Integer({ minimum: 0 })) }, STRICT),
  Type.Object({ leafId: Type.Optional(id), ...edgePlace }, STRICT),
])

const activate = Type.Optional(Type.Boolean())

/** The shape of a change, for whoever takes one from the network. */
export const layoutChangeSchema = Type.Union([
  Type.Object({ type: Type.Literal('addTab'), tab: tabSchema, at: placeSchema, activate }, STRICT),
  Type.Object({ type: Type.Literal('removeTab'), tabId: id }, STRICT),
  Type.Object({ type: Type.Literal('moveTab'), tabId: id, to: placeSchema, activate }, STRICT),
  Type.Object({ type: Type.Literal('activateTab'), tabId: id }, STRICT),
  Type.Object({ type: Type.Literal('retitleTab'), tabId: id, title, icon: Type.Optional(icon) }, STRICT),
  Type.Object(
    {
      type: Type.Literal('resizeSplit'),
      splitId: id,
      sizes: Type.Array(Type.Number({ exclusiveMinimum: 0, maximum: LARGEST_SIZE }), {
        maxItems: LAYOUT_LIMITS.leaves,
      }),
    },
    STRICT,
  ),
  Type.Object(
    { type: Type.Literal('replace'), layout: layoutSchema, expected: Type.Optional(layoutSchema) },
    STRICT,
  ),
])
