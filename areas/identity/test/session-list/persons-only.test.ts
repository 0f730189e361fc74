import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import type { Browser } from '../browser.ts'
import { startIdentity } from '../start.ts'
import { asApplication, codeOf, giveApplicationSession, makeKey, withKey } from './credentials.ts'
import { dumpTables } from './dump.ts'
import { changes, type ManagingRequest, managingEndpoints, managingRequests } from './managing-requests.ts'

const ORIGIN = 'http://patchbay.localhost'

/** An administrator with everything that the requests are about, and every kind of credential. */
async function startManaging() {
  await using cleanup = new AsyncDisposableStack()
  const node = cleanup.use(await startIdentity())
  const ada = await node.signedIn('ada', { isAdmin: true })
  const bob = await node.signedIn('bob')
  await ada.change('POST', '/auth/organizations', { handle: 'acme', display_name: 'Acme' })
  await ada.change('PUT', '/auth/organizations/acme/members/bob', { role: 'member' })
  const key = await makeKey(ada)
  const application = await giveApplicationSession(node.deps, ada.personId)
  // Its first use is noted, which the comparison of dumps would otherwise take for a change.
  await node.ask('/auth/whoami', withKey(key))
  const requests = managingRequests({ keyId: key.id, sessionId: application.id })
  const send = async (request: ManagingRequest, headers: Record<string, string>) => {
    const response = await node.ask(request.path, {
      method: request.endpoint.method,
      headers: { ...headers, ...(request.body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    })
    return `${request.endpoint.name} ${response.status} ${await codeOf(response)}`
  }
  const owned = cleanup.move()
  return {
    node,
    ada,
    bob,
    key,
    application,
    requests,
    send,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

const pageHeaders = ({ cookie, csrf }: Browser) => ({ cookie, origin: ORIGIN, 'x-csrf-token': csrf })
const each = (requests: readonly ManagingRequest[], outcome: string) =>
  requests.map(({ endpoint }) => `${endpoint.name} ${outcome}`)

test('[C-270] the table below has every route of keys, organizations, people and the session list', () => {
  const requests = managingRequests({ keyId: '', sessionId: '' })
  expect(requests.map(({ endpoint }) => endpoint.name).toSorted()).toEqual(managingEndpoints().toSorted())
})

deepTest("[C-270] an application's session, an API key and no credential manage nothing", async () => {
  await using managing = await startManaging()
  const { node, ada, requests, send, application, key } = managing
  const before = await dumpTables(node.db)
  const credentials = [
    [{ ...asApplication(application).headers }, '403 browser_session_required'],
    [{ ...withKey(key).headers }, '403 browser_session_required'],
    // A cookie that comes along does not make more of them.
    [{ ...pageHeaders(ada), ...asApplication(application).headers }, '403 browser_session_required'],
    [{ ...pageHeaders(ada), ...withKey(key).headers }, '403 browser_session_required'],
    [{ origin: ORIGIN }, '401 sign_in_required'],
  ] as const
  for (const [headers, outcome] of credentials) {
    const answers = await Promise.all(requests.map((request) => send(request, headers)))
    expect(answers).toEqual(each(requests, outcome))
  }
  expect(await dumpTables(node.db)).toBe(before)
})

test('[C-271] a change without the CSRF token of its session, or not from a page of ours, is refused', async () => {
  await using managing = await startManaging()
  const { node, ada, bob, requests, send } = managing
  const before = await dumpTables(node.db)
  const { cookie, csrf } = ada
  const forged = [
    [{ cookie, origin: ORIGIN }, '403 csrf_token_required'],
    [{ cookie, origin: ORIGIN, 'x-csrf-token': '' }, '403 csrf_token_required'],
    [{ cookie, origin: ORIGIN, 'x-csrf-token': `${csrf.slice(0, -1)}!` }, '403 csrf_token_required'],
    [{ cookie, origin: ORIGIN, 'x-csrf-token': bob.csrf }, '403 csrf_token_required'],
    [{ cookie, 'x-csrf-token': csrf }, '403 origin_not_allowed'],
    [{ cookie, 'x-csrf-token': csrf, origin: 'https://evil.example' }, '403 origin_not_allowed'],
    [{ cookie, 'x-csrf-token': csrf, origin: 'null' }, '403 origin_not_allowed'],
  ] as const
  for (const [headers, outcome] of forged) {
    const answers = await Promise.all(changes(requests).map((request) => send(request, headers)))
    expect(answers).toEqual(each(changes(requests), outcome))
  }
  expect(await dumpTables(node.db)).toBe(before)
})

deepTest('[C-271] with both, every one of these requests is taken', async () => {
  await using managing = await startManaging()
  const { ada, requests } = managing
  for (const { endpoint, path, body } of requests) {
    const { method } = endpoint
    const response = await (method === 'GET' ? ada.ask(path) : ada.change(method, path, body))
    expect([endpoint.name, response.ok]).toEqual([endpoint.name, true])
  }
})

test("[C-272] an application's token is no cookie, and a cookie's value no bearer token", async () => {
  await using managing = await startManaging()
  const { node, ada, application } = managing
  const asCookie = await node.ask('/auth/sessions', {
    headers: { cookie: `__Host-patchbay-session=${application.token}` },
  })
  expect(asCookie.status).toBe(401)
  const asBearer = await node.ask('/auth/whoami', { headers: { authorization: `Bearer ${ada.token}` } })
  expect([asBearer.status, await codeOf(asBearer)]).toEqual([401, 'credential_invalid'])
})
