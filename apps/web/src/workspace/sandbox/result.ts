import { SANDBOX_LIMITS } from '@patchbay/contracts/limits'
import { CONSOLE_LEVELS, RESULT_TYPES, type SandboxResult } from '@patchbay/contracts/panels'
import type { FrameAnswer } from './frame-messages.ts'
import { words } from './words.ts'

type Line = NonNullable<SandboxResult['console']>[number]

const MOST_ERROR = 65_536

/** What the frame said, in the shape and size that was promised, whatever it is. */
export function resultOf(
  answer: Extract<FrameAnswer, { type: 'executed' }>,
): Omit<SandboxResult, 'durationMs'> {
  const resultType = RESULT_TYPES.find((type) => type === answer.resultType) ?? 'object'
  if (answer.result === undefined) return { status: 'executed', resultType }
  const json = jsonOf(answer.result)
  if (json === undefined) return errorResult(words.notJson)
  const isTooLong = json.length > SANDBOX_LIMITS.resultLength
  // What is cut off after the fact is no longer JSON; then it is shown as the text that it is.
  const result = isTooLong ? json.slice(0, SANDBOX_LIMITS.resultLength / 2) : (JSON.parse(json) as unknown)
  return {
    status: 'executed',
    result,
    resultType,
    ...((isTooLong || answer.isTruncated) && { isTruncated: true }),
  }
}

export function errorResult(error: string): Omit<SandboxResult, 'durationMs'> {
  return { status: 'error', error: error.slice(0, MOST_ERROR) }
}

/** A line of the frame's console, or undefined if it is none. */
export function lineOf({ level, text }: { level: unknown; text: unknown }): Line | undefined {
  const known = CONSOLE_LEVELS.find((name) => name === level)
  return known === undefined || typeof text !== 'string'
    ? undefined
    : { level: known, text: text.slice(0, SANDBOX_LIMITS.resultLength) }
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
