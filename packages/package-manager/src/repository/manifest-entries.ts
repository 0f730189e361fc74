/** One line of manifests.json. */
export interface ManifestEntry {
  /** Identifier and version, with a space between. */
  readonly subject: string
  readonly url: string
  readonly sha256: string | undefined
}

/** `undefined` when it is no list of manifests. */
export function parseManifests(bytes: Uint8Array): readonly ManifestEntry[] | undefined {
  const manifests = objectOf(objectOf(parse(bytes))?.['manifests'])
  if (manifests === undefined) return undefined
  return Object.entries(manifests).flatMap(([identifier, versions]) =>
    Object.entries(objectOf(versions) ?? {}).flatMap(([version, value]) => {
      const { url, sha256 } = objectOf(value) ?? {}
      if (typeof url !== 'string') return []
      return [
        { subject: `${identifier} ${version}`, url, sha256: typeof sha256 === 'string' ? sha256 : undefined },
      ]
    }),
  )
}

/** What a manifest says is in its archive. */
export function filesOf(bytes: Uint8Array): unknown {
  return objectOf(parse(bytes))?.['files']
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Readonly<Record<string, unknown>>) : undefined
}
