import type { ARCHIVE_FOLDERS } from '@patchbay/package-archive'

/**
 * The folders of a package that are installed. The type is the list itself, so that the two cannot differ; the value is
 * not imported, because loading the archive reader would double the time that listing or removing takes to start.
 */
export const KNOWN_FOLDERS: typeof ARCHIVE_FOLDERS = [
  'plugins',
  'footprints',
  '3dmodels',
  'symbols',
  'resources',
  'colors',
  'templates',
  'scripts',
]
