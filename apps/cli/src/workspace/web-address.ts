import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'

/** What the server says of another one names every pattern of the contract. */
export function requireWebAddress(url: string): void {
  if (/^https?:\/\/\S{1,2040}$/.test(url)) return
  throw new Refusal(
    EXIT.usage,
    'bad_address',
    `A web view shows addresses that begin with https:// or http://, not "${stripHidden(url)}".`,
  )
}
