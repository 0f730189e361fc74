/** Where the files of the registry are, below the public address of the installation. */
export function registryUrl(publicUrl: string): string {
  return `${publicUrl.replace(/\/$/, '')}/registry`
}

export interface ArchiveAddress {
  readonly identifier: string
  readonly version: string
  readonly archiveSha256: string
}

export function archiveFileName({
  identifier,
  version,
}: Pick<ArchiveAddress, 'identifier' | 'version'>): string {
  return `${identifier}-${version}.zip`
}

export function archiveUrl(publicUrl: string, archive: ArchiveAddress): string {
  return `${registryUrl(publicUrl)}/archives/${archive.archiveSha256}/${archiveFileName(archive)}`
}

/** Named by the archive: who may read the one may read the other. */
export function manifestUrl(publicUrl: string, archiveSha256: string): string {
  return `${registryUrl(publicUrl)}/manifests/${archiveSha256}.json`
}

export function iconUrl(publicUrl: string, sha256: string): string {
  return `${registryUrl(publicUrl)}/icons/${sha256}.png`
}

export interface FeedName {
  /** Empty for the feed of the whole installation. */
  readonly owner: string
  readonly visibility: 'public' | 'private'
}

/** Content-addressed: a repository.json that was read once never leads to other bytes. */
export function feedFileUrl(publicUrl: string, feed: FeedName, sha256: string, name: string): string {
  const place = feed.visibility === 'public' ? 'files' : `private-files/${feed.owner}`
  return `${registryUrl(publicUrl)}/${place}/${sha256}/${name}`
}

/** Relative to the registry, as signed metadata spells it. */
export function feedPath(feed: FeedName, brand: string): string {
  const owner = feed.owner === '' ? '' : `/${feed.owner}`
  const privacy = feed.visibility === 'private' ? '/private' : ''
  return `feeds/${brand}${owner}${privacy}/repository.json`
}

export function sparsePath(brand: string, identifier: string): string {
  return `sparse/${brand}/${identifier}.json`
}

/** Where a private feed is for whoever has this token, with everything that it names. */
export function sharedUrl(publicUrl: string, token: string): string {
  return `${registryUrl(publicUrl)}/shared/${token}`
}
