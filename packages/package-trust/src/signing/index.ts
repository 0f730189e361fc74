export { binNameOf, binNames } from './bin-name.ts'
export { type BinIssue, signBin, signEmptyBins } from './bins.ts'
export type { FileInfo, Issue, IssuedFile, SignedFile } from './document.ts'
export { createSigningKey, type PreparedKey, type PublicKey, prepareKey, publicKeyOf } from './keys.ts'
export {
  createRoot,
  type KeyHolders,
  type NewRoot,
  type RootRoles,
  type RootRotation,
  rotateRoot,
} from './root.ts'
export { describeRoot, type RootDescription } from './root-description.ts'
export { type SnapshotIssue, signSnapshot } from './snapshot.ts'
export { type StaticRepository, signStaticRepository } from './static-repository.ts'
export { type BinDelegation, delegateToBins, signTargets, type TargetsIssue } from './targets.ts'
export { signTimestamp, type TimestampIssue } from './timestamp.ts'
