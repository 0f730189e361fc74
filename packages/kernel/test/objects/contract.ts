import { deletingContract } from './contract-deleting.ts'
import { gettingContract } from './contract-getting.ts'
import { listingContract } from './contract-listing.ts'
import { puttingContract } from './contract-putting.ts'
import { refusingContract } from './contract-refusing.ts'
import type { StoreKind } from './store-under-test.ts'

/** What every store does. One suite, so that the implementations cannot drift apart. */
export function objectStoreContract(kind: StoreKind): void {
  puttingContract(kind)
  refusingContract(kind)
  gettingContract(kind)
  listingContract(kind)
  deletingContract(kind)
}
