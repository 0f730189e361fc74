import { randomBytes } from 'node:crypto'
import { createUser } from '@patchbay/cli/test/user'
import {
  CONTENT_ENDPOINTS,
  getChangedPaths,
  getDocument,
  getFile,
  getFileSearch,
} from '@patchbay/contracts/content'
import {
  address,
  type CallInput,
  CORE_ENDPOINTS,
  call,
  type EndpointSpec,
  isMediaResponse,
  pathParameters,
} from '@patchbay/contracts/core'
import { DEVICE_ENDPOINTS, getDeviceExport } from '@patchbay/contracts/devices'
import { getPeople, getSignUp, getTrustedPublishers, IDENTITY_ENDPOINTS } from '@patchbay/contracts/identity'
import {
  getModel,
  PANELS_ENDPOINTS,
  patchSandbox,
  patchScreenshot,
  postSplit,
  postTab,
  putWorkspace,
} from '@patchbay/contracts/panels'
import { postPackage, REGISTRY_ENDPOINTS } from '@patchbay/contracts/registry'
import { waitUntil } from '@patchbay/testkit/processes'
import { Check } from 'typebox/value'
import { expect } from 'vitest'
import { logInWithCurl, logInWithFetch } from '../identity/contract-client.ts'
import { asPerson, type SignedIn } from '../identity/signed-in.ts'
import { packArchive } from '../packages-pages/archives.ts'
import { agentAt } from '../panel-control/agent.ts'
import { openExistingTool } from '../registry-journey/existing-tool.ts'
import { createApiKey } from '../workspace-cli/api-key.ts'
import { openStandIn } from '../workspace-cli/stand-in-browser.ts'

/** Somebody at a running installation, by its address alone. They have a workspace and a public package there. */
export interface Resident {
  readonly url: string
  readonly person: SignedIn
  /** For all that is theirs. */
  readonly apiKey: string
  readonly repo: string
  readonly identifier: string
}

/** Somebody who is new makes what others would find there: a key, a package, a workspace and a file. */
export async function moveIn(url: string, handle: string, session: string): Promise<Resident> {
  const apiKey = await createApiKey(url, session, [
    `panels:${handle}/*`,
    `packages:${handle}/*`,
    `files:write:${handle}/*`,
  ])
  const [repo, identifier] = ['board', 'com.example.blinky']
  await using user = await createUser({ PATCHBAY_SERVER_URL: url, PATCHBAY_API_KEY: apiKey })
  for (const words of [
    ['package', 'init', 'blinky', '--identifier', identifier, '--yes'],
    ['package', 'publish', 'blinky'],
    ['workspace', 'make', `${handle}/${repo}`],
    ['workspace', 'add', `${handle}/${repo}`, 'code-editor', '--title', 'Firmware'],
    ['files', 'put', `${handle}/${repo}`, 'blinky/metadata.json', 'packages/'],
  ])
    expect(await user.run(...words)).toMatchObject({ code: 0 })
  return { url, person: asPerson(handle, session, url), apiKey, repo, identifier }
}

const ENDPOINTS = [
  ...CORE_ENDPOINTS,
  ...IDENTITY_ENDPOINTS,
  ...REGISTRY_ENDPOINTS,
  ...PANELS_ENDPOINTS,
  ...CONTENT_ENDPOINTS,
  ...DEVICE_ENDPOINTS,
]
/** For people who are in the midst of something, for administrators, for installations that are set up otherwise, or with a query. */
const NOT_READ: readonly EndpointSpec[] = [
  getDeviceExport,
  getSignUp,
  getPeople,
  getModel,
  getFile,
  getDocument,
  getChangedPaths,
  getFileSearch,
  getTrustedPublishers,
]
const PATIENCE = { deadlineMs: 60_000 }

/** Holds a running installation to the contract: what is there is read, then everything is done once more. */
export async function checkContract(resident: Resident): Promise<void> {
  await checkReading(resident)
  expect(await logInWithCurl(resident.url, resident.person)).toMatch(/^tok_/)
  expect(await logInWithFetch(resident.url, resident.person)).toMatch(/^tok_/)
  await checkPublishing(resident)
  await checkPanels(resident)
}

/** Everything that can be read by names that are known answers with a status and a body that its description has. */
async function checkReading({ url, person, repo, identifier }: Resident): Promise<void> {
  const params: Record<string, string> = {
    owner: person.handle,
    repo,
    identifier,
    brand: 'kicad',
    document: 'package.json',
  }
  const readable = ENDPOINTS.filter(
    (spec) =>
      spec.method === 'GET' &&
      !NOT_READ.includes(spec) &&
      pathParameters(spec.path).every((parameter) => parameter in params),
  )
  expect(readable.length).toBeGreaterThan(20)
  for (const spec of readable) {
    const answer = await fetch(url + address(spec.path, { params }), { headers: { cookie: person.cookie } })
    expect({ path: spec.path, status: answer.status, isDescribed: await isDescribed(spec, answer) }).toEqual({
      path: spec.path,
      status: 200,
      isDescribed: true,
    })
  }
}

async function isDescribed({ responses }: EndpointSpec, answer: Response): Promise<boolean> {
  const described = responses[answer.status]
  if (described === undefined || described === null) return false
  const type = answer.headers.get('content-type') ?? ''
  if (isMediaResponse(described)) return type.startsWith(described.mediaType)
  return type.startsWith('application/json') && Check(described, await answer.json())
}

/** As `call`, with the body held against its schema. */
async function callChecked<Spec extends EndpointSpec>(
  { url, apiKey }: Resident,
  spec: Spec,
  input: CallInput<Spec>,
) {
  const answer = await call(spec, input, { baseUrl: url, headers: { 'x-api-key': apiKey } })
  const described = spec.responses[answer.status as number]
  if (described !== undefined && described !== null && !isMediaResponse(described))
    expect({ name: spec.name, isDescribed: Check(described, answer.body) }).toEqual({
      name: spec.name,
      isDescribed: true,
    })
  return answer
}

/** A design tool lists and unpacks what is there, and notices what is published then. */
async function checkPublishing(resident: Resident): Promise<void> {
  const { url, person, identifier } = resident
  const tool = openExistingTool(`${url}/registry/feeds/kicad/repository.json`)
  await waitUntil('there is a feed', () => tool.refresh().catch(() => false), PATIENCE)
  const known = tool.packages()
  expect(known.map((each) => each.identifier)).toContain(identifier)
  for (const each of known)
    for (const { version } of each.versions)
      expect(Object.keys(await tool.unpack(each.identifier, version))).not.toEqual([])

  const published = `com.example.contract-${randomBytes(4).toString('hex')}`
  const publish = async () =>
    await callChecked(resident, postPackage, {
      params: { owner: person.handle },
      query: {},
      upload: await packArchive({ identifier: published, version: '1.0.0' }),
    })
  expect((await publish()).status).toBe(201)
  expect((await publish()).status).toBe(200)
  await waitUntil('the tool notices it', () => tool.refresh(), PATIENCE)
  expect(tool.packages().map((each) => each.identifier)).toContain(published)
  expect(Object.keys(await tool.unpack(published, '1.0.0'))).not.toEqual([])
}

/** A new workspace, driven over plain HTTP, first while nobody looks and then in somebody's browser. */
async function checkPanels(resident: Resident): Promise<void> {
  const { url, person, apiKey } = resident
  const params = { owner: person.handle, repo: `contract-${randomBytes(4).toString('hex')}` }
  const ref = `${params.owner}/${params.repo}`
  expect((await callChecked(resident, putWorkspace, { params })).status).toBe(201)
  const page = { url: 'https://example.com/' }
  const { panelId, ...view } = (
    await callChecked(resident, postTab, { params, body: { panelType: 'webview', initialState: page } })
  ).body
  const sandbox = (
    await callChecked(resident, postSplit, {
      params,
      body: { panelType: 'sandbox', panelId, direction: 'right' },
    })
  ).body
  const agent = agentAt(url, ref, apiKey)
  expect((await agentAt(url, ref, null).webview({ panelId, action: 'refresh' })).status).toBe(401)
  for (const action of [
    { action: 'navigate', url: 'https://example.com/next' },
    { action: 'refresh' },
    { action: 'setHeaderHidden', hidden: true },
    { action: 'setProxyEnabled', enabled: false },
  ])
    expect(await agent.webview({ panelId, ...action })).toMatchObject({ status: 204, body: undefined })
  for (const action of [{ action: 'reset' }, { action: 'setHeaderHidden', hidden: true }])
    expect((await agent.sandbox({ panelId: sandbox.panelId, ...action })).status).toBe(204)
  const evaluate = async (code: string) =>
    (
      await callChecked(resident, patchSandbox, {
        params,
        body: { panelId: sandbox.panelId, action: 'eval', code },
      })
    ).body
  expect(await evaluate('1')).toMatchObject({ status: 'queued' })

  await using browser = await openStandIn({ url, session: person.token, ...params })
  browser.setReady(sandbox.tabId)
  const runs = async () => (await evaluate('6 * 7'))?.status === 'executed'
  await waitUntil('code runs', runs, PATIENCE)
  expect(await evaluate('6 * 7')).toMatchObject({ status: 'executed', result: 42 })
  expect(await evaluate('nope()')).toMatchObject({ status: 'error', error: expect.any(String) })

  const screenshot = { scope: 'panel', tabId: view.tabId } as const
  expect((await agent.screenshot(screenshot)).status).toBe(504)
  browser.share(true)
  const capture = async () =>
    await callChecked(resident, patchScreenshot, { params, body: screenshot }).catch(() => undefined)
  await waitUntil('a picture is taken', async () => (await capture())?.status === 200, PATIENCE)
}
