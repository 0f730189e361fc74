/** Schemas of this installation, by the names of the files that they are for. */
export const WELL_KNOWN: Readonly<Record<string, string>> = {
  'metadata.json': 'schema:package.json',
  'packages.json': 'schema:packages.json',
  'repository.json': 'schema:repository.json',
}

const PUBLISHED = /\/registry\/schemas\/v1(?:\/(package|packages|repository))?\.json$/

/**
 * What a schema is read from: a file of the workspace, or one that this installation publishes. `undefined`: an address of
 * the web, which nobody asks.
 */
export function schemaPath(uri: string, root: string): string | undefined {
  if (uri.startsWith('schema:')) return uri
  if (uri.startsWith(root)) return decodeURIComponent(uri.slice(root.length).replace(/[?#].*$/, ''))
  const published = PUBLISHED.exec(URL.canParse(uri) ? new URL(uri).pathname : '')
  return published === null ? undefined : `schema:${published[1] ?? 'package'}.json`
}
