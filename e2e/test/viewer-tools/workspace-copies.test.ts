import { connectWorkspaces, type Workspace, type Workspaces } from '@patchbay/client/workspaces'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { PICTURE } from '@patchbay/viewer-app/test/desk'
import { createProject, startTestViewer, type TestViewer } from '@patchbay/viewer-app/test/start'
import { beforeAll, expect, vi } from 'vitest'
import { type Installation, joinInstallation } from '../workspace-cli/installation.ts'

vi.setConfig({ testTimeout: 120_000 })
const soon = { timeout: 30_000 }

let site: Installation
let workspaces: Workspaces
beforeAll(async () => {
  site = await joinInstallation()
  const apiKey = await site.apiKey(`panels:${site.owner}/*`, `files:write:${site.owner}/*`)
  workspaces = connectWorkspaces({ baseUrl: site.url, apiKey })
}, 120_000)

async function newWorkspace(): Promise<Workspace & { readonly name: string }> {
  const name = site.newWorkspace()
  const [owner = '', repo = ''] = name.split('/')
  const workspace = workspaces.workspace({ owner, repo })
  await workspace.make()
  return Object.assign(workspace, { name })
}

async function startViewer(
  workspace: string,
  { project, isAway = () => false }: { project?: string; isAway?: () => boolean } = {},
): Promise<TestViewer> {
  return await startTestViewer({
    ...(project === undefined ? {} : { project }),
    environment: { PATCHBAY_VIEWER_WORKSPACE: workspace },
    openServer: async () => {
      if (isAway()) throw new Error('the server is away')
      return { server: site.url, workspaces, findHandle: async () => site.owner }
    },
  })
}

const pathsIn = async ({ files }: Workspace) =>
  (await files.list({ recursive: true })).files.map(({ path }) => path)

test('[VA-66] a paste is in the workspace under the same names, and follows what becomes of it', async () => {
  const workspace = await newWorkspace()
  await using viewer = await startViewer(workspace.name)
  expect(viewer.running.status().workspace).toBe(workspace.name)
  const paste = await viewer.paste(PICTURE)
  const named = (file: string) => `screenshots/sp/${file}`
  const both = [named(paste.optimized.file), named(paste.original.file)].toSorted()
  await expect.poll(() => pathsIn(workspace), soon).toEqual(both)
  expect((await workspace.files.history({ limit: 1 }))[0]?.reason).toBe('Pasted in the viewer')
  const ask = (method: string, path: string, body?: object) =>
    viewer.ask(path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
  await ask('PATCH', `/api/pastes/${paste.id}`, { name: 'solder-bridge' })
  await expect
    .poll(async () => (await pathsIn(workspace)).join(), soon)
    .toMatch(/solder-bridge-\d+x\d+-original\.png,.*solder-bridge-\d+x\d+\.png/)
  expect(await pathsIn(workspace)).toHaveLength(2)
  await ask('DELETE', `/api/pastes/${paste.id}`)
  await expect.poll(() => pathsIn(workspace), soon).toEqual([])
  await ask('POST', `/api/pastes/${paste.id}/undo`)
  await expect.poll(() => pathsIn(workspace), soon).toHaveLength(2)
})

deepTest(
  '[VA-66] what was pasted while the server was away is brought over, and nobody’s file is replaced',
  async () => {
    const workspace = await newWorkspace()
    await using project = await createProject()
    let isAway = true
    const options = { project: project.path, isAway: () => isAway }
    let files: string[] = []
    {
      await using viewer = await startViewer(workspace.name, options)
      const paste = await viewer.paste(PICTURE)
      files = [`screenshots/sp/${paste.optimized.file}`, `screenshots/sp/${paste.original.file}`]
      await expect.poll(() => viewer.lines.join(), soon).toContain('failed to copy pastes')
    }
    expect(await pathsIn(workspace)).toEqual([])
    isAway = false
    {
      await using _viewer = await startViewer(workspace.name, options)
      await expect.poll(() => pathsIn(workspace), soon).toEqual(files.toSorted())
    }
    const { revision } = await workspace.files.list()
    await workspace.files.write(files[0] ?? '', 'of somebody', { ifRevision: 'any' })
    await using again = await startViewer(workspace.name, options)
    const another = await again.paste(PICTURE)
    await expect.poll(() => pathsIn(workspace), soon).toContain(`screenshots/sp/${another.optimized.file}`)
    expect(new TextDecoder().decode(await workspace.files.read(files[0] ?? ''))).toBe('of somebody')
    expect((await workspace.files.list()).revision).toBe(revision + 2)
  },
)
