import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { startOidcProvider } from '@patchbay/dev-identity-provider'
import { openPage, type Page, sharedChromium } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { startGateway } from '../oauth-client/start-gateway.ts'

interface Said {
  readonly type: string
  readonly code?: string
  readonly reason?: string
}

/** Somebody with a socket to the gateway and a state of their own, and the address they send people to. */
async function beginFlow(gatewayUrl: string, issuer: string) {
  const state = randomUUID()
  const verifier = randomBytes(32).toString('base64url')
  const socket = new WebSocket(`${gatewayUrl.replace('http', 'ws')}/ws`)
  const heard: Said[] = []
  socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString()) as Said))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.send(
    JSON.stringify({ type: 'register', state, provider: 'Example ID', label: 'a friendly application' }),
  )
  await waitUntil('the state is registered', () => heard.some(({ type }) => type === 'registered'))
  const url = new URL(`${issuer}/auth`)
  url.search = new URLSearchParams({
    client_id: 'app',
    response_type: 'code',
    redirect_uri: `${gatewayUrl}/callback`,
    scope: 'openid',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  return { url: url.href, heard, [Symbol.dispose]: () => socket.terminate() }
}

async function signInAndConsent(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
}

async function startScene(delivery: 'direct' | 'confirm') {
  await using stack = new AsyncDisposableStack()
  const gateway = stack.use(await startGateway({ PATCHBAY_GATEWAY_DELIVERY: delivery }))
  const provider = stack.use(await startOidcProvider({ rememberConsent: true }))
  await provider.addClient({ id: 'app', redirectUris: [`${gateway.url}/callback`] })
  const browser = await sharedChromium()
  const owned = stack.move()
  return { gateway, provider, browser, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

test('[B-34] a person who is sent to the provider with an attacker’s state is asked, and nothing is delivered before', async () => {
  await using scene = await startScene('confirm')
  const { gateway, provider } = scene
  await using opened = await openPage(scene.browser)
  const { page } = opened

  // The person connects an application of their own, and the provider remembers it.
  using own = await beginFlow(gateway.url, provider.issuer)
  await signInAndConsent(page, own.url)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('heading', { name: 'Connected' }).waitFor()
  expect(own.heard.at(-1)).toMatchObject({ type: 'callback' })

  // A link from a stranger: the provider asks nothing and sends the person straight to the gateway.
  using attacker = await beginFlow(gateway.url, provider.issuer)
  await page.goto(attacker.url)
  await page.getByRole('heading', { name: 'Connect this application?' }).waitFor()
  expect(page.url()).not.toMatch(/code|state=/)
  // Looking again, going back and forth: still nothing.
  await page.reload()
  await page.getByText('Only continue if you started this yourself').waitFor()
  expect(attacker.heard.map(({ type }) => type)).toEqual(['registered'])

  await page.getByRole('button', { name: 'Decline' }).click()
  await page.getByText('declined', { exact: false }).first().waitFor()
  await waitUntil('the attacker hears of it', () => attacker.heard.length === 2)
  expect(attacker.heard[1]).toMatchObject({ type: 'error', reason: 'declined' })
}, 60_000)

deepTest(
  '[B-34] without asking, the same link hands the person’s code to the attacker: what `confirm` is for',
  async () => {
    await using scene = await startScene('direct')
    const { gateway, provider } = scene
    await using opened = await openPage(scene.browser)
    using own = await beginFlow(gateway.url, provider.issuer)
    await signInAndConsent(opened.page, own.url)
    await opened.page.getByRole('heading', { name: 'Connected' }).waitFor()
    using attacker = await beginFlow(gateway.url, provider.issuer)
    await opened.page.goto(attacker.url)
    await opened.page.getByRole('heading', { name: 'Connected' }).waitFor()
    expect(attacker.heard.at(-1)).toMatchObject({ type: 'callback', code: expect.any(String) })
  },
  60_000,
)
