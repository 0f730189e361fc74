import { Problem } from '@patchbay/contracts/core'
import type { Asking, RegistryDeps } from '../deps.ts'
import { mayRead, mayWrite } from '../files/access.routes.ts'
import { refuseQuarantined } from '../packages/quarantine.ts'
import { findVersion, noteDownload } from './archive.store.ts'

export interface FoundArchive {
  readonly name: string
  readonly type: string
  readonly version: string
  readonly sha256: string
  readonly size: number
  open(): Promise<AsyncIterable<Uint8Array>>
}

export type FindArchive = (
  request: Asking,
  identifier: string,
  version: string | undefined,
) => Promise<FoundArchive>

/** For parts of the server that take packages themselves, with the rules of a download. */
export function createArchiveFinder(deps: RegistryDeps): FindArchive {
  const { db, clock, objects } = deps
  return async (request, identifier, version) => {
    const found = await findVersion(db, identifier, version)
    const isOpen = found?.visibility === 'public'
    // One that is private and one that is not there cost the same questions.
    const isReadable = isOpen || (await mayRead(deps, request, found?.owner ?? NOBODY, identifier))
    if (found === undefined || !isReadable) throw new Problem('package_not_found')
    if (found.quarantined_at !== null) throw refuseQuarantined(found.quarantine_reason)
    const { name, type, sha256, size, owner, isDownloaded } = found
    return {
      name,
      type,
      version: found.version,
      sha256,
      size,
      async open() {
        const isCounted = !isDownloaded && !(await mayWrite(deps, request, owner, identifier))
        if (isCounted && !(await noteDownload(db, found, clock.now()))) throw new Problem('package_not_found')
        const content = await objects.get(sha256)
        if (content === undefined) throw new Problem('objects_unavailable')
        return content.stream
      },
    }
  }
}

/** No handle is like this. */
const NOBODY = '-'
