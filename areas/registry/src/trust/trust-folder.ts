/** A root or targets that an operator signed offline, as it lies in the folder. */
export interface OfflineFile {
  readonly version: number
  readonly file: string
  readonly body: Buffer
}

export interface OfflineFiles {
  /** In the order of versions. */
  readonly roots: readonly OfflineFile[]
  readonly targets: OfflineFile | undefined
}

export interface KnownVersions {
  readonly root: number
  readonly targets: number
}

export function versionsOf(names: readonly string[], role: string): number[] {
  const pattern = new RegExp(`^([1-9][0-9]{0,8})[.]${role}[.]json$`)
  return names
    .flatMap((name) => pattern.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b)
}
