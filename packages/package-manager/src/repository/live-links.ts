import { linkOf, type Package } from '@patchbay/package-format'
import { forEachConcurrent } from '@patchbay/primitives/async'
import { RepositoryFailure } from '../client/failure.ts'
import { openHttp } from '../client/http-source.ts'
import type { ReadDeps } from '../client/read-file.ts'
import type { FindingList } from './report.ts'

/** The pages that packages point to, each once. */
export function linksOf(packages: readonly Package[]): string[] {
  const texts = packages.flatMap(({ resources, author, maintainer }) => [
    ...Object.values(resources),
    ...Object.values(author.contact),
    ...Object.values(maintainer?.contact ?? {}),
  ])
  return [...new Set(texts.flatMap((text) => linkOf(text)?.href ?? []))].toSorted()
}

/** A page that is gone stops nobody from installing: warnings only. */
export async function checkLinks(
  links: readonly string[],
  read: ReadDeps,
  concurrency: number,
  found: FindingList,
  signal: AbortSignal | undefined,
): Promise<void> {
  await forEachConcurrent(links, concurrency, async (link) => {
    signal?.throwIfAborted()
    try {
      const { deadlineMs } = read.limits
      const request = { url: new URL(link), accept: 'text/html, */*;q=0.8', maxBytes: 0, deadlineMs, signal }
      // Pages of others never see the key, whatever their origin.
      await (await openHttp(request, { ...read, key: undefined })).close()
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof RepositoryFailure)) throw error
      found.warn('link_broken', link, error.message)
    }
  })
}
