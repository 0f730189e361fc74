import {
  compileKeepOnUpdate,
  findUnsafePatterns,
  type KeepOnUpdateOptions,
  KeepOnUpdateTooSlow,
} from '@patchbay/package-format/keep-on-update'
import { InstallFailure } from '../install-failure.ts'
import { createBoundedPatterns, type SkippedPattern } from './bounded-patterns.ts'

export interface KeptPatterns {
  /** Whether an installed file, such as `/plugins/com_x_y/config.ini`, is carried over. */
  keeps(path: string): boolean
  /** What could not be run so far, in words. */
  warnings(): string[]
}

export interface KeptPatternsOptions extends KeepOnUpdateOptions {
  /** Go on without patterns that take too long. */
  readonly force?: boolean
}

const SHOWN = 5

/** The patterns of a package: in linear time where they can be, otherwise as long as the clock allows, or not at all. */
export function openPatterns(
  identifier: string,
  patterns: readonly string[],
  { force = false, ...options }: KeptPatternsOptions = {},
): KeptPatterns {
  const unsafe = new Set(findUnsafePatterns(patterns).map(({ pattern }) => pattern))
  const safe = patterns.filter((pattern) => !unsafe.has(pattern))
  const keep = compileKeepOnUpdate(safe, options)
  const bounded = createBoundedPatterns([...unsafe])
  let isTooSlow = false

  function keepsSafely(path: string): boolean {
    if (isTooSlow) return false
    try {
      return keep.keeps(path)
    } catch (cause) {
      if (!(cause instanceof KeepOnUpdateTooSlow)) throw cause
      if (!force)
        throw new InstallFailure(
          'keep_pattern_unusable',
          `the patterns with which ${identifier} names files to keep take too long for the files that are there: save your settings, then force the change, and tell the author`,
          { identifier, cause },
        )
      isTooSlow = true
      return false
    }
  }

  return {
    keeps: (path) => keepsSafely(path) || bounded.matches(path),
    warnings: () =>
      explain([
        ...bounded.skipped,
        ...(isTooSlow ? safe.map((pattern) => ({ pattern, reason: 'all of them take too long' })) : []),
      ]),
  }
}

function explain(skipped: readonly SkippedPattern[]): string[] {
  if (skipped.length === 0) return []
  const said = skipped.slice(0, SHOWN).map(({ pattern, reason }) => `${JSON.stringify(pattern)} (${reason})`)
  const more = skipped.length > SHOWN ? `, and ${skipped.length - SHOWN} more` : ''
  return [
    `patterns of files to keep were skipped: ${said.join(', ')}${more}. The files that they name are in the previous version: roll back to have them again, and tell the author`,
  ]
}
