import { Problem } from '@patchbay/contracts/core'

export interface GrantSources {
  /** The one that this page was served with, if it was not replaced by a reload from a cache. */
  readonly servedNonce: string | undefined
  readonly fetchNonce: () => Promise<string>
  readonly trade: (nonce: string) => Promise<string>
}

/** The right to upload, shared by all uploads of the page. */
export interface Grants {
  get(): Promise<string>
  /** It was refused: the next one who asks gets another. */
  forget(grant: Promise<string>): void
  /** The viewer was away and may have been started again: to find that out with 32 MB would be slow. */
  doubt(): void
}

export function createGrants({ servedNonce, fetchNonce, trade }: GrantSources): Grants {
  let unused = servedNonce
  let current: Promise<string> | undefined

  async function obtain(): Promise<string> {
    const nonce = unused
    unused = undefined
    if (nonce === undefined) return await trade(await fetchNonce())
    return await trade(nonce).catch(async (error: unknown) => {
      // Too old by now, or of a viewer that has been started again since.
      if (error instanceof Problem && error.code === 'upload_not_granted')
        return await trade(await fetchNonce())
      throw error
    })
  }

  return {
    get() {
      if (current === undefined) {
        const fresh = obtain()
        current = fresh
        fresh.catch(() => {
          if (current === fresh) current = undefined
        })
      }
      return current
    },
    forget(grant) {
      if (current === grant) current = undefined
    },
    doubt() {
      unused = undefined
      current = undefined
    },
  }
}
