import { type TSchema, Type } from 'typebox'

/** How a list is asked for. The cursor is what the answer before gave; its content is nobody's business. */
export const pageQuery = Type.Object({
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
})

/** One page of a list. Without a `next_cursor` it is the last. */
export function pageOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  })
}
