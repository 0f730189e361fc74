export { TRUST_LIMITS, type TrustLimits } from './limits.ts'
export type { Fetch } from './metadata-fetcher.ts'
export { TrustFailure, type TrustFailureReason } from './trust-failure.ts'
export {
  type CallOptions,
  type ListedFile,
  openTrustedIndex,
  type TrustedIndex,
  type TrustedIndexOptions,
  type TrustedState,
} from './trusted-index.ts'
