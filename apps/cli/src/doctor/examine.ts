import type { CheckResult, InstallationCheck } from '@patchbay/kernel/lifecycle'
import { escapeHidden } from '@patchbay/primitives/text'
import { outsideChecks } from './outside.ts'

export type Finding = CheckResult & { readonly name: string }

/** Looks at everything at once. What cannot be looked at is a fault. */
export async function examine(checks: readonly InstallationCheck[]): Promise<Finding[]> {
  const found = await Promise.all(
    checks.map(async ({ name, look, fix }): Promise<Finding | undefined> => {
      try {
        const result = await look()
        return result === undefined ? undefined : { name, ...result }
      } catch (error) {
        return { name, state: 'fault', says: reasonOf(error), fix }
      }
    }),
  )
  return found.filter((finding) => finding !== undefined)
}

/** Where nothing of ours answers, the other lines would only say so again. */
export async function examineOutside(address: string, now: () => number): Promise<Finding[]> {
  const [server, ...others] = outsideChecks(address, now)
  const first = await examine(server === undefined ? [] : [server])
  return first.some(({ state }) => state === 'fault') ? first : [...first, ...(await examine(others))]
}

/** Of the failures that `fetch` wraps in each other, the innermost says what happened. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? reasonOf(error.cause) : escapeHidden(error.message)
}
