import type { Metadata, Root } from '@tufjs/models'
import { holdersOf, readRoot, TOP_LEVEL_ROLES, type TopLevelRole } from './root.ts'

export interface RootDescription {
  readonly version: number
  readonly expires: Date
  readonly roles: Readonly<
    Record<TopLevelRole, { readonly threshold: number; readonly keyIds: readonly string[] }>
  >
  /** The root keys of this very root whose signatures are good. */
  readonly signedBy: readonly string[]
}

export function describeRoot(bytes: Uint8Array): RootDescription {
  const metadata = readRoot(bytes)
  const { version, expires } = metadata.signed
  const holders = holdersOf(metadata.signed)
  const describe = (role: TopLevelRole) => ({
    threshold: holders[role].threshold,
    keyIds: holders[role].keys.map((key) => key.id),
  })
  const [root, targets, snapshot, timestamp] = TOP_LEVEL_ROLES
  return {
    version,
    expires: new Date(expires),
    roles: {
      root: describe(root),
      targets: describe(targets),
      snapshot: describe(snapshot),
      timestamp: describe(timestamp),
    },
    signedBy: holders.root.keys.map((key) => key.id).filter((id) => hasGoodSignature(metadata, id)),
  }
}

function hasGoodSignature(metadata: Metadata<Root>, id: string): boolean {
  try {
    metadata.signed.keys[id]?.verifySignature(metadata)
    return metadata.signed.keys[id] !== undefined
  } catch {
    return false
  }
}
