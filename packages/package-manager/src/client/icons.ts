import { readResourcesIcons } from '@patchbay/package-archive'
import { resourceAddress, shownAddress } from './address.ts'
import { readChecked, refuseUnprotected } from './checked-file.ts'
import type { Context } from './context.ts'
import { RepositoryFailure } from './failure.ts'
import { refuseUnsigned, watching } from './refresh.ts'
import { parseIndex } from './repository-file.ts'
import type { ReadOptions } from './source.ts'

/** The icons that go with the cached state. A repository without resources has none. */
export async function readIcons(
  context: Context,
  options: ReadOptions = {},
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { cache } = context
  const cached = await cache.load()
  if (cached === undefined) return new Map()
  const { resources } = parseIndex(cached.repository, context.url).index
  if (resources === undefined) return new Map()
  const url = resourceAddress(context.url, resources.url, 'resources')
  refuseUnprotected(context.url, url, resources)
  refuseUnsigned(resources, context)
  const file = await cache.readResources()
  const bytes = file && (await cache.readBlob(file.sha256))
  const found = await readChecked(
    {
      url,
      accept: 'application/zip, */*;q=0.8',
      maxBytes: context.limits.resourcesBytes,
      sha256: resources.sha256,
      known: file && bytes && { file, bytes },
      ...watching(options, 'resources'),
    },
    context,
  )
  const sha256 = await cache.writeBlob(found.bytes)
  await cache.saveResources(found.file)
  try {
    return await readResourcesIcons(cache.blobPath(sha256))
  } catch (error) {
    throw new RepositoryFailure(
      'malformed',
      'the resources are no sound zip file; packages can be used without icons',
      {
        url: shownAddress(url),
        cause: error,
      },
    )
  }
}
