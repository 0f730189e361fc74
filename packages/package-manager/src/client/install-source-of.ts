import type { InstallSource } from '../install/install-source.ts'
import { shownAddress } from './address.ts'
import type { CatalogSnapshot } from './catalog.ts'
import { RepositoryFailure } from './failure.ts'

/** What the repositories offer, to install from. */
export function installSourceOf(catalog: Pick<CatalogSnapshot, 'find'>): InstallSource {
  return {
    async find(identifier) {
      const entry = findListed(catalog, identifier)
      if (entry === undefined) return undefined
      return {
        package: entry.package,
        repository: entry.snapshot.name,
        origin: shownAddress(new URL(entry.repository.url)),
        async open(version, { signal, allowUnverified = false }) {
          const download = await entry.repository.openDownload(version, {
            ...(signal === undefined ? {} : { signal }),
            allowUnhashed: allowUnverified,
            isHashedByCaller: true,
          })
          return { stream: download.stream, ...(download.size === undefined ? {} : { size: download.size }) }
        },
      }
    },
  }
}

function findListed(catalog: Pick<CatalogSnapshot, 'find'>, identifier: string) {
  try {
    return catalog.find(identifier)
  } catch (error) {
    if (error instanceof RepositoryFailure && error.code === 'not_listed') return undefined
    throw error
  }
}
