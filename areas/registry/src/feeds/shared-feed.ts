import { registryUrl } from '../files/addresses.ts'

/** Lets the addresses of archives and manifests in a list lead below the secret address. */
export function rebaseList(text: string, publicUrl: string, shared: string): string {
  const registry = registryUrl(publicUrl)
  return ['archives', 'manifests'].reduce(
    (list, kind) => list.replaceAll(`"${registry}/${kind}/`, `"${shared}/${kind}/`),
    text,
  )
}

interface Named {
  readonly url: string
  readonly sha256: string
}

/** The repository with its files below the secret address; `hashOf` answers what a list has once it is rebased. */
export async function rebaseRepository(
  text: string,
  shared: string,
  hashOf: (sha256: string, name: string) => Promise<string>,
): Promise<string> {
  const repository = JSON.parse(text) as Readonly<Record<string, unknown>>
  const entries = Object.entries(repository).map(async ([key, value]) => {
    if (typeof value !== 'object' || value === null || !('url' in value)) return [key, value] as const
    const { url, sha256 } = value as Named
    const name = url.slice(url.lastIndexOf('/') + 1)
    const rebased = { url: `${shared}/files/${sha256}/${name}`, sha256: await hashOf(sha256, name) }
    return [key, { ...value, ...rebased }] as const
  })
  return JSON.stringify(Object.fromEntries(await Promise.all(entries)))
}
