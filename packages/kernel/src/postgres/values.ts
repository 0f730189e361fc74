import { TypeOverrides, types } from 'pg'

const INT8_ARRAY = 1016

/** How column values become JavaScript values. Set per connection: the driver's own table is global and shared. */
export function valueParsers(): TypeOverrides {
  const parsers = new TypeOverrides()
  parsers.setTypeParser(types.builtins.INT8, parseBigint)
  parsers.setTypeParser(INT8_ARRAY, parseBigints)
  // The driver would make it midnight in the machine's own time zone, which is another day elsewhere.
  parsers.setTypeParser(types.builtins.DATE, (value) => value)
  return parsers
}

function parseBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a number exactly`)
  return value
}

function parseBigints(text: string): (number | null)[] {
  if (text === '{}') return []
  const items = text.slice(1, -1).split(',')
  return items.map((item) => (item === 'NULL' ? null : parseBigint(item)))
}
