import type { Package } from '@patchbay/package-format'
import {
  compileKeepOnUpdate,
  findUnsafePatterns,
  type KeepOnUpdateOptions,
  KeepOnUpdateTooSlow,
} from '@patchbay/package-format/keep-on-update'
import { quote } from '@patchbay/primitives/text'
import { ARCHIVE_FOLDERS, folderOf, installedPath, isInstallable } from '../archive-folders.ts'

/** Whether the patterns do what their author meant shows only with the files. */
export function checkKeptFiles(
  { identifier, keep_on_update: own = [], versions }: Package,
  files: readonly { readonly path: string }[],
  options: KeepOnUpdateOptions = {},
): string[] {
  const patterns = [...new Set([...own, ...(versions[0]?.keep_on_update ?? [])])]
  if (patterns.length === 0) return []
  const paths = files
    .filter(({ path }) => isInstallable(path))
    .map(({ path }) => `/${installedPath(path, identifier)}`)
  const folder = `/${ARCHIVE_FOLDERS[0]}/${folderOf(identifier)}/`
  const lost = patterns.filter(beginsElsewhere)
  return [
    ...lost.map(
      (pattern) =>
        `keep_on_update ${quote(pattern)} keeps nothing: paths begin as ${folder} does. Leave out the "^", or begin with "^/".`,
    ),
    ...checkTogether(patterns, paths, options),
  ]
}

/** A path begins with a slash, so a beginning that is a letter or a digit is none. */
function beginsElsewhere(pattern: string): boolean {
  return /^\^[\p{L}\p{N}_](?![*?{|])[^|]*$/u.test(pattern)
}

function checkTogether(
  patterns: readonly string[],
  paths: readonly string[],
  options: KeepOnUpdateOptions,
): string[] {
  // Those that cannot be run safely are findings of the metadata, and not run here.
  const unsafe = new Set(findUnsafePatterns(patterns).map(({ pattern }) => pattern))
  const keep = compileKeepOnUpdate(
    patterns.filter((pattern) => !unsafe.has(pattern)),
    options,
  )
  try {
    // All of them, also after the first that is not kept: the time is that of an update.
    const isAll = paths.filter((path) => keep.keeps(path)).length === paths.length
    return isAll ? ['keep_on_update keeps every file of the package: no update would change anything.'] : []
  } catch (cause) {
    if (!(cause instanceof KeepOnUpdateTooSlow)) throw cause
    return [
      `keep_on_update takes too long for the ${paths.length} files of the package: updates may stop. Use simpler patterns, or fewer.`,
    ]
  }
}
