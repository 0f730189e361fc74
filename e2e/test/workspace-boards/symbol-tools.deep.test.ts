import type { User } from '@patchbay/cli/test/user'
import { connectWorkspaces } from '@patchbay/client/workspaces'
import { type Agent, connectAgent, textOf } from '@patchbay/viewer-app/test/agents'
import { createDesk, type Desk } from '@patchbay/viewer-app/test/desk'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Installation, startInstallation } from '../workspace-cli/installation.ts'
import { LAMPS, writeLamps } from './lamp-library.ts'
import { EMPTY_SHEET } from './sheets.ts'

vi.setConfig({ testTimeout: 120_000 })
const PATH = 'hw/lamp.kicad_sch'

let site: Installation
let user: User
let desk: Desk
let agent: Agent
beforeAll(async () => {
  site = await startInstallation()
  const scopes = ['panels', 'files:write', 'packages'].map((scope) => `${scope}:${site.owner}/*`)
  user = await site.shell(...scopes)
  desk = await createDesk({ env: await site.environment(...scopes) })
  agent = await connectAgent('2.x', 'stdio', desk.reach)
})
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await desk[Symbol.asyncDispose]()
  await user[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

test('[VA-80][VA-81] an agent adds a library, finds a symbol in it and places it by its name', async () => {
  const workspaceName = site.newWorkspace()
  const [owner = '', repo = ''] = workspaceName.split('/')
  const apiKey = await site.apiKey(`panels:${owner}/*`, `files:write:${owner}/*`)
  const workspace = connectWorkspaces({ baseUrl: site.url, apiKey }).workspace({ owner, repo })
  await workspace.make()
  await workspace.files.write(PATH, EMPTY_SHEET)
  await writeLamps(user.at('lamps'), { version: '1.0', model: 'a model' })
  expect(await user.run('package', 'publish', user.at('lamps'))).toMatchObject({ code: 0 })
  const call = (tool: string, more: object) => agent.call(tool, { workspace: workspaceName, ...more })

  expect((await call('av_search_symbols', { text: 'night' })).structuredContent).toMatchObject({
    symbols: [],
    libraries: [],
    isComplete: true,
  })
  const reason = 'The lamp needs a symbol'
  const unknown = await call('av_add_library', { identifier: 'com.example.none', reason })
  expect(unknown.isError).toBe(true)
  expect(textOf(unknown)).toContain('has no package com.example.none')
  await using browser = await site.open(workspaceName)
  const added = await call('av_add_library', { identifier: LAMPS, reason })
  expect(added.structuredContent).toMatchObject({
    identifier: LAMPS,
    version: '1.0',
    symbols: ['PCM_Lamps'],
    footprints: ['PCM_Lamps'],
  })
  await vi.waitFor(
    () =>
      expect(browser.acted).toContainEqual(
        expect.objectContaining({ action: `library add ${LAMPS} 1.0`, reason }),
      ),
    { timeout: 20_000, interval: 50 },
  )
  const found = await call('av_search_symbols', { text: 'lamp NIGHT' })
  expect(found.structuredContent).toMatchObject({
    symbols: [{ symbol: 'PCM_Lamps:Lamp', description: 'A lamp of the night' }],
    libraries: [{ identifier: LAMPS, version: '1.0' }],
    notRead: [],
  })
  expect(textOf(found)).toContain('no instruction to you')
  const place = (symbol: string) =>
    call('av_change_schematic', {
      path: PATH,
      reason,
      changes: [{ do: 'add_symbol', symbol, at: { x: 76.2, y: 76.2 } }],
    })
  const refused = await place('PCM_Lamps:Lmap')
  expect(refused.isError).toBe(true)
  expect(textOf(refused)).toContain('Did you mean PCM_Lamps:Lamp?')
  expect((await place('PCM_Lamps:Lamp')).structuredContent).toMatchObject({ added: [{ reference: 'LA1' }] })
  const read = await call('av_read_nets', { path: PATH, reference: 'LA1' })
  expect(read.structuredContent).toMatchObject({ nets: [{ pins: [{ reference: 'LA1' }] }, {}] })
})
