import { randomUUID } from 'node:crypto'
import { connectWorkspaces, type Workspace, type Workspaces } from '@patchbay/client/workspaces'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { type Agent, connectAgent, textOf } from '@patchbay/viewer-app/test/agents'
import { createDesk, type Desk } from '@patchbay/viewer-app/test/desk'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { type Installation, joinInstallation } from '../workspace-cli/installation.ts'
import { PICTURE } from '../workspace-cli/stand-in-browser.ts'

vi.setConfig({ testTimeout: 120_000 })

let site: Installation
let desk: Desk
let agent: Agent
let workspaces: Workspaces
beforeAll(async () => {
  site = await joinInstallation()
  workspaces = connectWorkspaces({ baseUrl: site.url, apiKey: await site.apiKey() })
  desk = await createDesk({ env: await site.environment() })
  agent = await connectAgent('2.x', 'stdio', desk.reach)
}, 120_000)
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await desk[Symbol.asyncDispose]()
})

interface Furnished {
  readonly made: Workspace
  readonly workspace: string
  readonly docs: string
  readonly sandbox: string
}

/** A new workspace, as its owner. */
async function makeWorkspace(): Promise<Workspace> {
  const [owner = '', repo = ''] = site.newWorkspace().split('/')
  const workspace = workspaces.workspace({ owner, repo })
  await workspace.make()
  return workspace
}

/** A workspace with a web view and a sandbox beside each other. */
async function furnish(): Promise<Furnished> {
  const made = await makeWorkspace()
  const { tabId: docs } = await made.addTab('webview', { title: 'Docs' })
  const { tabId: sandbox } = await made.split('right', 'sandbox')
  return { made, workspace: nameOf(made), docs, sandbox }
}

function nameOf({ owner, repo }: Workspace): string {
  return `${owner}/${repo}`
}

interface Listed {
  readonly workspaces: readonly {
    readonly workspace: string
    readonly browsers: number
    readonly panels: readonly {
      readonly tabId: string
      readonly title: string
      readonly url?: string
      readonly isActive: boolean
    }[]
  }[]
}

async function panelsOf(workspace: string) {
  const { structuredContent } = await agent.call('av_list_panels', { workspace })
  return (structuredContent as unknown as Listed).workspaces[0]
}

test('[VA-50][VA-54] panels are listed with their ids, of one workspace or of all; of several none is guessed', async () => {
  const one = await furnish()
  const two = await furnish()
  const listed = await panelsOf(one.workspace)
  expect(listed?.panels.map(({ tabId, title, isActive }) => [tabId, title, isActive])).toEqual([
    [one.docs, 'Docs', true],
    [one.sandbox, 'Sandbox', true],
  ])
  const all = await agent.call('av_list_panels')
  expect(textOf(all)).toContain(one.sandbox)
  expect(textOf(all)).toContain(two.workspace)
  const unsure = await agent.call('av_navigate', { url: 'viewer' })
  expect(unsure.isError).toBe(true)
  expect(textOf(unsure)).toContain(two.workspace)
  const missing = await agent.call('av_list_panels', { workspace: `${site.owner}/nothing` })
  expect(textOf(missing)).toContain(`There is no workspace ${site.owner}/nothing`)
})

test('[VA-51] a page is shown in the only web view, the viewer by its name; what stands behind comes to the front', async () => {
  const { made, workspace, docs, sandbox } = await furnish()
  await using browser = await site.open(workspace)
  const shown = await agent.call('av_navigate', { workspace, url: 'viewer', reason: 'to paste a picture' })
  expect(shown.structuredContent).toMatchObject({
    tabId: docs,
    url: `http://localhost:${desk.port}`,
    wasAdded: false,
  })
  await waitUntil('the person sees why', () =>
    browser.acted.some(({ reason }) => reason === 'to paste a picture'),
  )

  const refused = await agent.call('av_navigate', { workspace, url: 'file:///etc/passwd' })
  expect(textOf(refused)).toContain('begin with https:// or http://')
  const wrong = await agent.call('av_navigate', { workspace, url: 'https://example.com', tabId: sandbox })
  expect(textOf(wrong)).toContain('is a sandbox panel')

  const { panelId } = shown.structuredContent as { panelId: string }
  await made.addTab('sandbox', { panelId })
  const front = await agent.call('av_navigate', { workspace, tabId: docs, url: 'https://example.com/next' })
  expect(front.isError ?? false).toBe(false)
  const panels = (await panelsOf(workspace))?.panels ?? []
  expect(panels.find(({ tabId }) => tabId === docs)).toMatchObject({
    isActive: true,
    url: 'https://example.com/next',
  })
})

test('[VA-51] a web view is added only when told to', async () => {
  const workspace = nameOf(await makeWorkspace())
  expect(textOf(await agent.call('av_navigate', { workspace, url: 'viewer' }))).toContain('addPanel: true')
  const added = await agent.call('av_navigate', { workspace, url: 'viewer', addPanel: true })
  expect(added.structuredContent).toMatchObject({ wasAdded: true, browsers: 0 })
  expect(textOf(added)).toContain('Nobody has the workspace open')
  expect((await panelsOf(workspace))?.panels).toHaveLength(1)
})

test('[VA-52] code is run, and its result and console come back, cut where they are long', async () => {
  const { workspace, sandbox } = await furnish()
  await using browser = await site.open(workspace)
  browser.setReady(sandbox)
  const ran = await agent.call('av_eval', { workspace, code: 'console.log("hello"); ({ answer: 6 * 7 })' })
  expect(ran.structuredContent).toMatchObject({
    status: 'executed',
    result: '{"answer":42}',
    console: 'hello',
    isCut: false,
  })
  const long = await agent.call('av_eval', { workspace, code: '"x".repeat(50000)' })
  expect(textOf(long).length).toBeLessThan(21_000)
  expect(long.structuredContent).toMatchObject({ isCut: true })
  expect(textOf(long)).toContain('This was cut')
  const failed = await agent.call('av_eval', { workspace, code: 'nothing.there' })
  expect(failed.isError).toBe(true)
  expect(textOf(failed)).toContain('nothing is not defined')
})

test('[VA-52] code that no browser can run yet is told as that', async () => {
  const { workspace } = await furnish()
  const queued = await agent.call('av_eval', { workspace, code: '1', waitSeconds: 0 })
  expect(queued.isError ?? false).toBe(false)
  expect(queued.structuredContent).toMatchObject({ status: 'queued' })
  expect(textOf(queued)).toContain(`${site.url}/workspaces/${workspace}`)
})

test('[E-190] F12: queued code has an id, with which its result is fetched once it ran', async () => {
  const { workspace, sandbox } = await furnish()
  const queued = await agent.call('av_eval', { workspace, code: '6 * 7', waitSeconds: 0 })
  const { id } = queued.structuredContent as { id: string }
  expect(textOf(queued)).toContain(`av_eval_result, id ${id}`)
  const early = await agent.call('av_eval_result', { workspace, id, waitSeconds: 0 })
  expect(early.structuredContent).toMatchObject({ status: 'queued', id })
  await using browser = await site.open(workspace)
  browser.setReady(sandbox)
  const fetched = await agent.call('av_eval_result', { workspace, id, waitSeconds: 60 })
  expect(fetched.structuredContent).toMatchObject({ status: 'executed', id, result: '42' })
  const unknown = await agent.call('av_eval_result', { workspace, id: randomUUID(), waitSeconds: 0 })
  expect(unknown.isError).toBe(true)
  expect(textOf(unknown)).toContain('ten minutes')
})

test('[VA-53] a picture comes with its facts; without sharing or a browser the words say what the person does', async () => {
  const { workspace, docs } = await furnish()
  expect(textOf(await agent.call('av_screenshot', { workspace }))).toContain('Nobody has')
  await using browser = await site.open(workspace)
  const unshared = await agent.call('av_screenshot', { workspace, tabId: docs })
  expect(unshared.isError).toBe(true)
  expect(textOf(unshared)).toContain('monitor icon')
  browser.share(true)
  await waitUntil('sharing is known', async () => {
    const answer = await agent.call('av_screenshot', { workspace, tabId: docs })
    return answer.isError !== true
  })
  const taken = await agent.call('av_screenshot', { workspace, tabId: docs, scope: 'panel' })
  expect(taken.structuredContent).toMatchObject({
    scope: 'panel',
    width: PICTURE.width,
    height: PICTURE.height,
  })
  expect(taken.content.map(({ type }) => type)).toEqual(['text', 'image'])
  expect(textOf(await agent.call('av_screenshot', { workspace, scope: 'panel' }))).toContain('Which panel?')
})

deepTest(
  '[VA-56][VA-57] over HTTP the key of the request acts, and a refusal names the scope and no secret',
  async () => {
    const { workspace } = await furnish()
    await using person = await createDesk({ env: { PATCHBAY_SERVER_URL: site.url } })
    await person.startViewer()
    const key = await site.apiKey(`webview:${workspace}`)
    await using caller = await connectAgent('1.x', 'HTTP', { ...person.reach, headers: { 'x-api-key': key } })
    const shown = await caller.call('av_navigate', { workspace, url: 'https://example.com' })
    expect(shown.isError ?? false).toBe(false)
    const refused = await caller.call('av_eval', { workspace, code: '1' })
    expect(refused.isError).toBe(true)
    expect(textOf(refused)).toContain(`sandbox:${workspace}`)
    expect(JSON.stringify(refused)).not.toContain(key)
    await using stranger = await connectAgent('1.x', 'HTTP', {
      ...person.reach,
      headers: { 'x-api-key': 'pbk_wrong' },
    })
    const unknown = await stranger.call('av_list_panels', { workspace })
    expect(unknown.isError).toBe(true)
    expect(textOf(unknown)).toContain('does not')
    expect(JSON.stringify(unknown)).not.toContain('pbk_wrong')
  },
)
