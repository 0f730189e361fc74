import { beginLogin, waitForLogin, whoami } from '@patchbay/client'
import { depth } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keptTokens } from './journey/home-folder.ts'
import { journeyAt } from './journey/journey.ts'
import { refusal } from './journey/person-browser.ts'
import { startTwoNodes } from './journey/site.ts'
import type { ServerProcess } from './servers.ts'
import { signIn } from './signed-in.ts'

const LOGINS = depth({ common: 2, deep: 10 })
const WAITERS = depth({ common: 30, deep: 200 })

/** For the journeys that leave both nodes alive. */
let site: Awaited<ReturnType<typeof startTwoNodes>>
beforeAll(async () => {
  site = await startTwoNodes({})
})
afterAll(() => site[Symbol.asyncDispose]())

const tokenIn = (link: string) => new URL(link).searchParams.get('token') ?? ''

/** Open event streams of a node, as its operator sees them. */
async function streamsOf(node: ServerProcess): Promise<number> {
  const text = await (await fetch(`${node.url}/metrics`)).text()
  return Number(/^patchbay_intent_streams\{[^}]*of="streams"[^}]*\} (\d+)/m.exec(text)?.[1] ?? Number.NaN)
}

test('[J-16][J-20] logins finish behind nginx although each request goes to another node', {
  timeout: 120_000,
}, async () => {
  await using journey = await journeyAt(site)
  const { trail } = journey
  const ada = await signIn(site.databaseUrl, 'ada', site.url)
  trail.see(ada.token, ada.csrf)
  const approve = async (link: string) => {
    trail.seeLink(link)
    const answer = await ada.decide(site.url, tokenIn(link))
    if (!answer.ok) throw new Error(`not approved: ${answer.status}`)
  }
  const hasStream = async () => (await Promise.all(site.nodes.map(streamsOf))).includes(1)
  // One after another, so that nobody else's requests come between theirs.
  for (let round = 0; round < LOGINS; round += 1) {
    const pending = await beginLogin({ baseUrl: site.url })
    const waiting = waitForLogin(pending)
    await waitUntil('it has a stream', hasStream)
    await approve(pending.authUrl)
    const { sessionToken } = await waiting
    trail.see(pending.verifier, sessionToken)
    expect((await whoami({ baseUrl: site.url, sessionToken })).handle).toBe('ada')
    const nodes = async (method: string) =>
      (await site.requests())
        .filter((request) => request.path.includes(pending.token) && request.method === method)
        .map(({ node }) => node)
    await waitUntil('nginx has noted both', async () => (await nodes('GET')).length > 0)
    expect(await nodes('GET')).not.toEqual(await nodes('PATCH'))
  }

  const logInByCommand = async () => {
    const terminal = await journey.terminal()
    const waiting = await terminal.login('--no-browser')
    await approve(waiting.link)
    return await waiting.ended
  }
  const byCommand = []
  for (let round = 0; round < LOGINS; round += 2) {
    byCommand.push(...(await Promise.all([logInByCommand(), logInByCommand()])))
  }
  const signedIn = expect.stringContaining(`Signed in as ada on ${site.url}`) as unknown
  expect(byCommand).toEqual(Array.from({ length: LOGINS }, () => ({ exitCode: 0, output: signedIn })))
  // Noted once its answer has gone.
  await expect.poll(async () => (await site.requests()).length).toBeGreaterThanOrEqual(2 * LOGINS * 4)
  const byNode = Map.groupBy(await site.requests(), ({ node }) => node)
  // In turn, but for the few that may not have been noted yet.
  const [one = 0, other = 0] = [...byNode.values()].map(({ length }) => length)
  expect(Math.abs(one - other)).toBeLessThanOrEqual(4)
  await journey.expectNoTrace()
})

test('[J-17][J-20] a node is killed with streams open: their logins go on at the other node', {
  timeout: 120_000,
}, async () => {
  await using pair = await startTwoNodes({ PATCHBAY_INTENTS_PER_MINUTE: '100000' })
  await using journey = await journeyAt(pair)
  const { trail } = journey
  const [doomed, survivor] = pair.nodes as [ServerProcess, ServerProcess]
  const ada = await signIn(pair.databaseUrl, 'ada', pair.url)
  trail.see(ada.token, ada.csrf)
  const logins = await Promise.all(Array.from({ length: WAITERS }, () => beginLogin({ baseUrl: pair.url })))
  trail.see(...logins.flatMap(({ token, verifier }) => [token, verifier]))
  const all = Promise.all(logins.map((pending) => waitForLogin(pending)))
  const open = () => Promise.all(pair.nodes.map(streamsOf))
  await waitUntil('all of them have a stream', async () => {
    const [first = 0, second = 0] = await open()
    return first + second === WAITERS
  })
  expect(Math.min(...(await open()))).toBeGreaterThan(WAITERS / 4)

  await doomed.kill('SIGKILL')
  await waitUntil('all of them are at the other node', async () => (await streamsOf(survivor)) === WAITERS, {
    deadlineMs: 20_000,
  })
  const decisions = await Promise.all(logins.map(({ token }) => ada.decide(pair.url, token)))
  expect(decisions.filter(({ ok }) => ok)).toHaveLength(WAITERS)
  const tokens = (await all).map(({ sessionToken }) => sessionToken)
  trail.see(...tokens)
  expect(new Set(tokens).size).toBe(WAITERS)
  await journey.expectNoTrace()
})

test('[J-18][J-20] somebody is disabled by an administrator, and is signed out everywhere, on both nodes', {
  timeout: 120_000,
}, async () => {
  await using journey = await journeyAt(site)
  const { trail } = journey
  const grace = await signIn(site.databaseUrl, 'grace', site.url)
  const person = await journey.browser()
  await person.signInAs(grace)
  const terminal = await journey.terminal()
  const waiting = await terminal.login('--no-browser')
  await person.open(waiting.link)
  await person.press('Approve')
  await person.sees('Done')
  expect((await waiting.ended).exitCode).toBe(0)
  await person.page.goto(`${site.url}/account`)
  await person.page.getByRole('list', { name: 'Your sessions' }).waitFor()

  const administrator = await journey.browser()
  await administrator.signInAs(await signIn(site.databaseUrl, 'root', site.url, { isAdmin: true }))
  await administrator.page.goto(`${site.url}/account/people`)
  await administrator.press('Disable grace')
  await administrator.press('Disable the account')
  await administrator.page.getByRole('button', { name: 'Enable grace' }).waitFor()

  person.expectFault(refusal(401))
  await person.press('End all others')
  await person.page.getByRole('alertdialog').getByRole('button', { name: 'End all others' }).click()
  await person.page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
  const ended = await terminal.run(['whoami'])
  expect(ended).toMatchObject({ exitCode: 1, output: expect.stringContaining('has ended') })
  const [session = ''] = await keptTokens(terminal.home)
  for (const { url } of site.nodes) {
    for (const headers of [{ cookie: grace.cookie }, { authorization: `Bearer ${session}` }]) {
      expect((await fetch(`${url}/auth/whoami`, { headers })).status).toBe(401)
    }
  }
  trail.see(session)
  await journey.expectNoTrace()
})
