import { createRoot, createSigningKey, publicKeyOf, type SignedFile } from '@patchbay/package-trust/signing'
import type { BuildTrust } from '../../src/repository/index.ts'

export const NOW = Date.UTC(2026, 0, 1)
export const DAY = 86_400_000

export interface Ceremony {
  readonly trust: BuildTrust
  readonly root: SignedFile
}

/** New keys and the first root. */
export function holdCeremony(): Ceremony {
  const [root, targets, online] = [createSigningKey(), createSigningKey(), createSigningKey()]
  const holder = (pem: string) => ({ keys: [publicKeyOf(pem)], threshold: 1 })
  const file = createRoot({
    roles: { root: holder(root), targets: holder(targets), online: holder(online) },
    keys: [root],
    now: new Date(NOW),
    expires: new Date(NOW + 365 * DAY),
  })
  return {
    root: file,
    trust: { roots: [file], keys: { targets: [targets], online: [online] }, lifetimeDays: 30 },
  }
}
