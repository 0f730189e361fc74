import type { Package } from '@patchbay/package-format'
import {
  compileKeepOnUpdate,
  type KeepOnUpdateOptions,
  KeepOnUpdateTooSlow,
} from '@patchbay/package-format/keep-on-update'
import { ARCHIVE_FOLDERS, folderOf, installedPath, isInstallable } from '../archive-folders.ts'
import { METADATA } from '../inspect/find-metadata.ts'
import { ArchiveRefused, quoteName } from '../refusal.ts'

/** The patterns were found usable. Whether they do what their author meant shows only with the files. */
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
        `keep_on_update ${quoteName(pattern)} keeps nothing: paths begin as ${folder} does. Leave out the "^", or begin with "^/".`,
    ),
    ...(keepsAll(patterns, paths, options)
      ? ['keep_on_update keeps every file of the package: no update would change anything.']
      : []),
  ]
}

/** A path begins with a slash, so a beginning that is a letter or a digit is none. */
function beginsElsewhere(pattern: string): boolean {
  return /^\^[\p{L}\p{N}_](?![*?{|])[^|]*$/u.test(pattern)
}

function keepsAll(
  patterns: readonly string[],
  paths: readonly string[],
  options: KeepOnUpdateOptions,
): boolean {
  const keep = compileKeepOnUpdate(patterns, options)
  try {
    // All of them, also after the first that is not kept: the time is that of an update.
    return paths.filter((path) => keep.keeps(path)).length === paths.length
  } catch (cause) {
    if (!(cause instanceof KeepOnUpdateTooSlow)) throw cause
    throw new ArchiveRefused(
      'metadata_invalid',
      `metadata.json has keep_on_update patterns that take too long for the ${paths.length} files of the package. Use simpler ones, or fewer.`,
      { entry: METADATA, cause },
    )
  }
}
