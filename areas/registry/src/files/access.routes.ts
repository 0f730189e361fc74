import { Problem } from '@patchbay/contracts/core'
import type { Asking, RegistryDeps } from '../deps.ts'

/** Whoever may not is told the same as somebody who asks for what does not exist: names of private things are private. */
export async function mayRead(
  { access }: Pick<RegistryDeps, 'access'>,
  request: Asking,
  owner: string,
  identifier: string,
): Promise<boolean> {
  const who = await access.authenticate(withBasic(request)).catch(nameWays)
  return who !== undefined && (await access.isAllowed(who, owner, identifier, 'read'))
}

export function mayReadAll(
  deps: Pick<RegistryDeps, 'access'>,
  request: Asking,
  owner: string,
): Promise<boolean> {
  return mayRead(deps, request, owner, '*')
}

/** Of an address that is for anyone: a credential that is no good makes a stranger of whoever shows it. */
export async function mayWrite(
  { access }: Pick<RegistryDeps, 'access'>,
  request: Asking,
  owner: string,
  identifier: string,
): Promise<boolean> {
  const who = await access.authenticate(withBasic(request)).catch((error: unknown) => {
    if (error instanceof Problem && error.status < 500) return undefined
    throw error
  })
  return who !== undefined && (await access.isAllowed(who, owner, identifier, 'write'))
}

const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i

/**
 * Design tools can send a user name and a password where they can send no other header: the password is an API key. Only
 * here, where files are read: a browser that was asked for a password once sends it along with everybody's requests.
 */
function withBasic({ headers }: Asking): Asking {
  const encoded = BASIC.exec(headers.authorization ?? '')?.[1]
  if (encoded === undefined || headers['x-api-key'] !== undefined) return { headers }
  const pair = Buffer.from(encoded, 'base64').toString()
  const { authorization: _basic, ...others } = headers
  return { headers: { ...others, 'x-api-key': pair.slice(pair.indexOf(':') + 1) } }
}

function nameWays(error: unknown): never {
  if (!(error instanceof Problem) || error.status !== 401) throw error
  const headers = { 'www-authenticate': 'Bearer, Basic realm="Patchbay", charset="UTF-8"' }
  throw new Problem(error.code, { headers, cause: error })
}
