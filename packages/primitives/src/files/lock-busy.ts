/** Somebody else has held the lock for longer than anybody should wait. */
export class LockBusy extends Error {
  override readonly name = 'LockBusy'

  constructor(path: string) {
    super(`another process holds ${path}`)
  }
}
