import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

interface SignedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

interface KeyHolders {
  readonly keys: readonly object[]
  readonly threshold: number
}

interface Signing {
  createSigningKey(): string
  publicKeyOf(pem: string): object
  createRoot(issue: object): SignedFile
  delegateToBins(issue: object): SignedFile
}

export interface TrustFiles {
  readonly folder: string
  readonly onlineKeyFile: string
}

const SIGNING = new URL('../../../packages/package-trust/src/signing/index.ts', import.meta.url)
const YEAR_MS = 365 * 86_400_000
/** As `patchbay repo trust init` has it. */
export const BIN_BITS = 8

/** The offline part of a signed index: what an operator makes once and hands to the server. */
export async function writeTrustFolder(parent: string): Promise<TrustFiles> {
  const signing = (await import(SIGNING.href)) as Signing
  const folder = join(parent, 'trust')
  await mkdir(folder)
  const [offline, onlineKey] = [signing.createSigningKey(), signing.createSigningKey()]
  const holdersOf = (pem: string): KeyHolders => ({ keys: [signing.publicKeyOf(pem)], threshold: 1 })
  const now = new Date()
  const issue = { now, expires: new Date(now.getTime() + YEAR_MS), keys: [offline] }
  const [own, online] = [holdersOf(offline), holdersOf(onlineKey)]
  const root = signing.createRoot({ ...issue, roles: { root: own, targets: own, online } })
  const targets = signing.delegateToBins({ ...issue, bits: BIN_BITS, holders: online })
  for (const { name, bytes } of [root, targets]) await writeFile(join(folder, name), bytes)
  const onlineKeyFile = join(parent, 'online.pem')
  await writeFile(onlineKeyFile, onlineKey, { mode: 0o600 })
  return { folder, onlineKeyFile }
}
