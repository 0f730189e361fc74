import { type Browser, openPage, sharedChromium } from '@patchbay/testkit/chromium'

export type Json = Record<string, unknown>

export interface DeviceCredential {
  readonly credentialId: string
  readonly isResidentCredential: boolean
  readonly rpId?: string
  readonly privateKey: string
  readonly userHandle?: string
  readonly signCount: number
}

/** A real browser with an authenticator that agrees to everything. It makes the answers; tests send them. */
export interface Device extends AsyncDisposable {
  /** What `navigator.credentials.create` answers on a page of that origin. */
  create(options: Json): Promise<Json>
  get(options: Json): Promise<Json>
  credentials(): Promise<DeviceCredential[]>
  /** Replaces everything it holds. */
  hold(credentials: readonly DeviceCredential[]): Promise<void>
  setUserVerified(isVerified: boolean): Promise<void>
}

export async function startDevices(): Promise<{ at(origin: string): Promise<Device> }> {
  const browser = await sharedChromium()
  return { at: (origin) => openDevice(browser, origin) }
}

async function openDevice(browser: Browser, origin: string): Promise<Device> {
  const watched = await openPage(browser)
  const { page } = watched
  await page.route(`${origin}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>A page</title>' }),
  )
  await page.goto(`${origin}/`)
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const credentials = async () =>
    (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  return {
    create: (options) => page.evaluate(createInPage, options),
    get: (options) => page.evaluate(getInPage, options),
    credentials,
    async hold(wanted) {
      await session.send('WebAuthn.clearCredentials', { authenticatorId })
      for (const credential of wanted) {
        await session.send('WebAuthn.addCredential', { authenticatorId, credential })
      }
    },
    async setUserVerified(isUserVerified) {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    [Symbol.asyncDispose]: () => watched[Symbol.asyncDispose](),
  }
}

async function createInPage(options: Json): Promise<Json> {
  const json = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json)
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  return { ...made.toJSON() }
}

async function getInPage(options: Json): Promise<Json> {
  const json = options as unknown as PublicKeyCredentialRequestOptionsJSON
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json)
  const found = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
  return { ...found.toJSON() }
}
