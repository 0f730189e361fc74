type Words = Readonly<Record<string, unknown>>

const plain = (options: Words = {}): Words => options

/**
 * What the bundle has in place of TypeBox. The contracts are written in its words, but pages never validate by a
 * schema: they need addresses, statuses, properties to spread and the rules of texts. The real builder would be a
 * fifteenth of the first load.
 */
export const Type = {
  Array: (items: Words, options: Words = {}): Words => ({ ...options, items }),
  Boolean: plain,
  Enum: (values: readonly unknown[], options: Words = {}): Words => ({ ...options, enum: values }),
  Integer: plain,
  Literal: (value: unknown, options: Words = {}): Words => ({ ...options, const: value }),
  Null: plain,
  Number: plain,
  Object: (properties: Words, options: Words = {}): Words => ({ ...options, properties }),
  Optional: plain,
  Record: (_key: Words, _value: Words, options: Words = {}): Words => options,
  String: plain,
  Tuple: (items: readonly Words[], options: Words = {}): Words => ({ ...options, type: 'array', items }),
  Union: (schemas: readonly Words[], options: Words = {}): Words => ({ ...options, anyOf: schemas }),
  Unknown: plain,
  Unsafe: plain,
}

/** Layouts are checked by a schema when one is imported, which pages do not do. One that began to would be told here. */
export function Check(): never {
  throw new TypeError('pages do not validate by a schema')
}
