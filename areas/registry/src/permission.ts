import { Problem } from '@patchbay/contracts/core'
import type { Asking, Publisher, RegistryAccess } from './deps.ts'

/** Whoever may read everything of an owner, private packages included. */
export async function requireReadOfAll(
  access: RegistryAccess,
  request: Asking,
  owner: string,
): Promise<Publisher> {
  const who = await access.authenticate(request)
  if (who === undefined) throw new Problem('sign_in_required')
  if (!(await access.isAllowed(who, owner, '*', 'read'))) throw new Problem('not_permitted')
  return who
}

/** Asked before the package is looked for: the refusal is the same whether it exists or not. */
export async function requireWrite(
  access: RegistryAccess,
  request: Asking,
  owner: string,
  identifier: string,
): Promise<Publisher> {
  const who = await access.requireChange(request)
  if (!(await access.isAllowed(who, owner, identifier, 'write'))) throw new Problem('not_permitted')
  return who
}
