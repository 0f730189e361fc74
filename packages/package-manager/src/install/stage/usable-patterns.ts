import {
  compileKeepOnUpdate,
  findUnsafePatterns,
  type KeepOnUpdate,
  type KeepOnUpdateOptions,
  KeepOnUpdateTooSlow,
} from '@patchbay/package-format/keep-on-update'
import { InstallFailure } from '../install-failure.ts'

/** Patterns that can be used. Without the others settings would be lost, so only a person may decide to go on. */
export function usePatterns(
  identifier: string,
  patterns: readonly string[],
  force: boolean,
): { readonly patterns: readonly string[]; readonly warnings: readonly string[] } {
  const unsafe = findUnsafePatterns(patterns)
  if (unsafe.length === 0) return { patterns, warnings: [] }
  const said = unsafe.map(({ pattern, reason }) => `${JSON.stringify(pattern)} (${reason})`).join(', ')
  if (!force)
    throw new InstallFailure(
      'keep_pattern_unusable',
      `${identifier} names files to keep in a way that cannot be used: ${said}. Settings could be lost: save them, then force the change, and tell the author`,
      { identifier },
    )
  const refused = new Set(unsafe.map(({ pattern }) => pattern))
  return {
    patterns: patterns.filter((pattern) => !refused.has(pattern)),
    warnings: [`patterns of files to keep that could not be used: ${said}`],
  }
}

/** Patterns that were found usable, with their time budget as a failure of the package. */
export function compilePatterns(
  identifier: string,
  patterns: readonly string[],
  options: KeepOnUpdateOptions = {},
): KeepOnUpdate {
  const keep = compileKeepOnUpdate(patterns, options)
  return {
    keeps(path) {
      try {
        return keep.keeps(path)
      } catch (cause) {
        if (!(cause instanceof KeepOnUpdateTooSlow)) throw cause
        throw new InstallFailure(
          'keep_pattern_unusable',
          `the patterns with which ${identifier} names files to keep take too long for the files that are there: remove the package and install it again, and tell the author`,
          { identifier, cause },
        )
      }
    },
  }
}
