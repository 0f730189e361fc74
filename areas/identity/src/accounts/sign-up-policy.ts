import type { SignUpPolicy } from '@patchbay/contracts/identity'

/** Whether somebody without an invitation may make an account, by what vouches for them. */
export function isOpenTo(policy: SignUpPolicy, proof: 'issuer' | 'passkey'): boolean {
  return policy === 'open' || (policy === 'issuer' && proof === 'issuer')
}
