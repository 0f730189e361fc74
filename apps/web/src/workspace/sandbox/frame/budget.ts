import { slice, stringify } from './intrinsics.ts'

export interface Budget {
  /** Characters that may still be used, about as JSON counts them. */
  left: number
  isTruncated: boolean
}

/** Of a long text, the part that still fits as JSON. */
export function cut(text: string, budget: Budget): string {
  const left = budget.left > 0 ? budget.left : 0
  let fitting = slice(text, 0, left)
  const cost = stringify(fitting).length
  if (cost > left) fitting = slice(fitting, 0, (fitting.length * left) / cost - 2)
  if (fitting.length < text.length) budget.isTruncated = true
  budget.left -= cost + 1
  return fitting
}

export function spend<T>(value: T, budget: Budget, cost: number): T {
  budget.left -= cost
  return value
}

export function isSpent(budget: Budget): boolean {
  if (budget.left <= 0) budget.isTruncated = true
  return budget.left <= 0
}
