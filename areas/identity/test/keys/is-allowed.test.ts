import { expect, test } from 'vitest'
import { findByApiKey } from '../../src/keys/api-key.store.ts'
import { isAllowed, isAllowedAny } from '../../src/keys/permission.store.ts'
import { findPerson, setDisabled } from '../../src/people/people.store.ts'
import type { Principal } from '../../src/principal.ts'
import { asApplication, codeOf, giveApplicationSession, makeKey } from '../session-list/credentials.ts'
import { type IdentityNode, startIdentity } from '../start.ts'

async function startAcme(options: Parameters<typeof startIdentity>[0] = {}) {
  const node = await startIdentity(options)
  const ada = await node.signedIn('ada')
  const bob = await node.signedIn('bob')
  await ada.change('POST', '/auth/organizations', { handle: 'acme', display_name: 'Acme' })
  const setRole = (role: string) => ada.change('PUT', '/auth/organizations/acme/members/bob', { role })
  return { node, ada, bob, setRole, [Symbol.asyncDispose]: () => node[Symbol.asyncDispose]() }
}

const reach = async ({ deps }: IdentityNode, principal: Principal, owner: string, repo = 'board') =>
  [
    await isAllowed(deps, principal, 'panels', owner, repo, 'read'),
    await isAllowed(deps, principal, 'panels', owner, repo, 'write'),
  ] as const

test('[C-212] a session reaches what is its person’s, and of an organization what the role gives', async () => {
  await using acme = await startAcme()
  const { node, bob, setRole } = acme
  const session = await giveApplicationSession(node.deps, bob.personId)
  const principal = await node.authentication.requirePrincipal(asApplication(session))
  expect(await reach(node, principal, 'bob')).toEqual([true, true])
  expect(await reach(node, principal, 'ada')).toEqual([false, false])
  expect(await reach(node, principal, 'nobody-here')).toEqual([false, false])
  expect(await reach(node, principal, 'acme')).toEqual([false, false])
  await setRole('member')
  expect(await reach(node, principal, 'acme')).toEqual([true, false])
  await setRole('maintainer')
  expect(await reach(node, principal, 'acme')).toEqual([true, true])
  await setRole('owner')
  expect(await reach(node, principal, 'acme')).toEqual([true, true])
})

test('[C-213] a key reaches what its scopes and its person’s place at that moment both give', async () => {
  await using acme = await startAcme()
  const { node, ada, bob, setRole } = acme
  await setRole('maintainer')
  const { key } = await makeKey(bob, { scopes: ['panels:acme/board', 'panels:bob/*'] })
  const principal = (await findByApiKey(node.deps, key)) as Principal
  expect(await reach(node, principal, 'acme')).toEqual([true, true])
  expect(await reach(node, principal, 'acme', 'Board')).toEqual([false, false])
  expect(await reach(node, principal, 'bob', 'anything')).toEqual([true, true])
  expect(await isAllowed(node.deps, principal, 'packages', 'bob', 'board', 'read')).toBe(false)
  await setRole('member')
  expect(await reach(node, principal, 'acme')).toEqual([true, false])
  await ada.change('DELETE', '/auth/organizations/acme/members/bob')
  expect(await reach(node, principal, 'acme')).toEqual([false, false])
})

test('[C-211] a key is made for owners that its person may write for, and for no others', async () => {
  await using acme = await startAcme()
  const { bob, setRole } = acme
  const attempt = async (...scopes: string[]) => {
    const response = await bob.change('POST', '/auth/keys', { name: 'k', scopes })
    return response.status === 201 ? 'made' : await codeOf(response)
  }
  expect(await attempt('panels:bob/*', 'packages:bob/thing')).toBe('made')
  expect(await attempt('panels:ada/*')).toBe('not_permitted')
  expect(await attempt('panels:nobody-here/*')).toBe('not_permitted')
  expect(await attempt('panels:acme/*')).toBe('not_permitted')
  await setRole('member')
  expect(await attempt('panels:acme/*')).toBe('not_permitted')
  await setRole('maintainer')
  expect(await attempt('panels:acme/*', 'panels:bob/*')).toBe('made')
  expect(await attempt('panels:acme/*', 'panels:ada/*')).toBe('not_permitted')
  await setRole('owner')
  expect(await attempt('panels:acme/*')).toBe('made')
})

test('[C-293] a key names a workspace that its person was let into, exactly, and nothing else of that owner', async () => {
  await using acme = await startAcme({
    isInvited: async (_, { owner, repo }) => owner === 'ada' && repo === 'board',
  })
  const attempt = async (...scopes: string[]) => {
    const response = await acme.bob.change('POST', '/auth/keys', { name: 'k', scopes })
    return response.status === 201 ? 'made' : await codeOf(response)
  }
  expect(await attempt('panels:ada/board', 'files:write:ada/board', 'panels:bob/*')).toBe('made')
  for (const scope of ['panels:ada/*', 'panels:ada/other', 'packages:ada/board', 'panels:acme/board'])
    expect(await attempt(scope, 'panels:ada/board')).toBe('not_permitted')
})

test('[C-294] a person is found by their handle, and a disabled account or an organization is nobody', async () => {
  await using acme = await startAcme()
  const { node, bob } = acme
  expect(await findPerson(node.deps.db, 'bob')).toEqual({ personId: bob.personId })
  expect(await findPerson(node.deps.db, 'acme')).toBeUndefined()
  await setDisabled(node.deps, 'bob', true)
  expect(await findPerson(node.deps.db, 'bob')).toBeUndefined()
})

test('[C-79] whether anything of an owner may be changed follows standing and any scope of that owner', async () => {
  await using acme = await startAcme()
  const { node, bob, setRole } = acme
  await setRole('maintainer')
  const session = await giveApplicationSession(node.deps, bob.personId)
  const { key } = await makeKey(bob, { scopes: ['panels:acme/board', 'packages:bob/thing'] })
  const principals = [
    await node.authentication.requirePrincipal(asApplication(session)),
    (await findByApiKey(node.deps, key)) as Principal,
  ]
  const ask = async (area: 'panels' | 'packages', owner: string) =>
    await Promise.all(principals.map((principal) => isAllowedAny(node.deps, principal, area, owner, 'write')))
  expect(await ask('panels', 'acme')).toEqual([true, true])
  expect(await ask('panels', 'acm')).toEqual([false, false])
  expect(await ask('packages', 'acme')).toEqual([true, false])
  expect(await ask('packages', 'bob')).toEqual([true, true])
  expect(await ask('packages', 'ada')).toEqual([false, false])
  await setRole('member')
  expect(await ask('panels', 'acme')).toEqual([false, false])
})
