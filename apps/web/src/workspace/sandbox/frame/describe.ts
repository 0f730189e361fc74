import { type Budget, cut, spend } from './budget.ts'
import { ABSENT, describeObject, type Path } from './describe-object.ts'
import { bigintText, slice, symbolText } from './intrinsics.ts'

/** A copy in which nothing can run and which ends, made of what JSON knows, or the text that a console would show. */
export function describe(value: unknown, budget: Budget, path: Path | null = null): unknown {
  switch (typeof value) {
    case 'undefined':
      return ABSENT
    case 'boolean':
      return spend(value, budget, 5)
    case 'number':
      return spend(value - value === 0 ? value : `${value}`, budget, 8)
    case 'string':
      return cut(value, budget)
    case 'bigint':
      return cut(`${bigintText(value)}n`, budget)
    case 'symbol':
      return cut(symbolText(value), budget)
    case 'function':
      return cut(functionText(value), budget)
    case 'object':
    default:
      if (value === null) return spend(null, budget, 4)
      return describeObject(value as object, budget, path, describe)
  }
}

function functionText(value: unknown): string {
  let name: unknown
  try {
    ;({ name } = value as { name: unknown })
  } catch {
    name = ''
  }
  return typeof name === 'string' && name !== '' ? `[Function ${slice(name, 0, 200)}]` : '[Function]'
}
