import { SANDBOX_LIMITS } from '@patchbay/contracts/limits'
import type { SandboxResult } from '@patchbay/contracts/panels'
import {
  array,
  assert,
  boolean,
  constantFrom,
  jsonValue,
  nat,
  oneof,
  property,
  record,
  string,
} from 'fast-check'
import { expect, test } from 'vitest'
import { limited } from '../../src/sandbox/eval.ts'

const line = record({ level: constantFrom('log', 'error'), text: string({ maxLength: 3_000 }) })
const said = record(
  {
    status: constantFrom('executed', 'error'),
    result: oneof(jsonValue(), string({ minLength: 60_000, maxLength: 80_000, size: 'max' })),
    error: string({ maxLength: 70_000 }),
    isTruncated: boolean(),
    console: array(line, { maxLength: 130, size: 'max' }),
    durationMs: nat(),
  },
  { requiredKeys: ['status', 'durationMs'] },
)

test('[D-154] whatever a browser says is kept within the limits, and marked where something was cut', () => {
  assert(
    property(said, (given) => {
      const result = given as SandboxResult
      const kept = limited(result)
      const { resultLength, consoleLines } = SANDBOX_LIMITS
      const lines = kept.console ?? []
      expect(lines.length).toBeLessThanOrEqual(consoleLines)
      expect(JSON.stringify(lines).length).toBeLessThanOrEqual(resultLength + 2 + consoleLines)
      expect((kept.error ?? '').length).toBeLessThanOrEqual(resultLength)
      const isWhole = kept.status === 'executed' && kept.isTruncated !== true
      expect(isWhole ? kept.result : undefined).toEqual(isWhole ? result.result : undefined)
      expect(typeof kept.error).toBe(kept.status === 'error' ? 'string' : 'undefined')
      expect(JSON.stringify(kept.result ?? '').length).toBeLessThanOrEqual(2 * resultLength + 2)
      const isCut = lines.length < (result.console ?? []).length
      expect(isCut && kept.isTruncated !== true).toBe(false)
      expect(lines).toEqual((result.console ?? []).filter((each) => lines.includes(each)))
    }),
    { numRuns: 60 },
  )
})
