import { buffer } from 'node:stream/consumers'
import type { RegistryNode } from './start.ts'

export async function codeOf(response: Response): Promise<string | undefined> {
  return ((await response.json()) as { readonly code?: string }).code
}

/** Checked against its hash on the way, by the store. */
export async function readObject({ deps }: Pick<RegistryNode, 'deps'>, sha256: string): Promise<Buffer> {
  const found = await deps.objects.get(sha256)
  if (found === undefined) throw new Error(`there is no object ${sha256}`)
  return await buffer(found.stream)
}
