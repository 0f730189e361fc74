/** The folders of an archive that are installed. Existing tools pass over all others without a word. */
export const ARCHIVE_FOLDERS = [
  'plugins',
  'footprints',
  '3dmodels',
  'symbols',
  'resources',
  'colors',
  'templates',
  'scripts',
] as const

const KNOWN: ReadonlySet<string> = new Set(ARCHIVE_FOLDERS)

/** For the path of a file: whether its top folder is a known one. */
export function isInstallable(path: string): boolean {
  const slash = path.indexOf('/')
  return slash > 0 && KNOWN.has(path.slice(0, slash))
}

/** `com.example.blinky` is installed in folders named `com_example_blinky`. */
export function folderOf(identifier: string): string {
  return identifier.replaceAll('.', '_')
}

/** Where an installable file goes, from the root that all packages share. */
export function installedPath(path: string, identifier: string): string {
  const slash = path.indexOf('/')
  return `${path.slice(0, slash)}/${folderOf(identifier)}${path.slice(slash)}`
}
