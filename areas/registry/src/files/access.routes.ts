import type { FastifyRequest } from 'fastify'
import type { RegistryDeps } from '../deps.ts'

/** Whoever may not is told the same as somebody who asks for what does not exist: names of private things are private. */
export async function mayRead(
  { access }: Pick<RegistryDeps, 'access'>,
  request: FastifyRequest,
  owner: string,
  identifier: string,
): Promise<boolean> {
  const who = await access.authenticate(request)
  return who !== undefined && (await access.isAllowed(who, owner, identifier, 'read'))
}

export function mayReadAll(
  deps: Pick<RegistryDeps, 'access'>,
  request: FastifyRequest,
  owner: string,
): Promise<boolean> {
  return mayRead(deps, request, owner, '*')
}
