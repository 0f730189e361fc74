import { connectWorkspaces, Problem, type Workspace, type Workspaces } from '@patchbay/client/workspaces'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { type Installation, startInstallation } from '../workspace-cli/installation.ts'
import { EMPTY_SHEET, LAMP } from './sheets.ts'

vi.setConfig({ testTimeout: 120_000 })
const WAIT = { timeout: 20_000, interval: 50 }
const PATH = 'hw/lamp.kicad_sch'

let site: Installation
let workspaces: Workspaces
beforeAll(async () => {
  site = await startInstallation()
  const scopes = [`panels:${site.owner}/*`, `files:write:${site.owner}/*`]
  workspaces = connectWorkspaces({ baseUrl: site.url, apiKey: await site.apiKey(...scopes) })
})
afterAll(async () => await site[Symbol.asyncDispose]())

async function lampWorkspace(): Promise<Workspace & { readonly name: string }> {
  const name = site.newWorkspace()
  const [owner = '', repo = ''] = name.split('/')
  const workspace = workspaces.workspace({ owner, repo })
  await workspace.make()
  await workspace.files.write(PATH, EMPTY_SHEET)
  await workspace.boards.change(PATH, LAMP)
  return Object.assign(workspace, { name })
}

const read = async (workspace: Workspace) => new TextDecoder().decode(await workspace.files.read(PATH))
const valueOf = (value: string) => ({ type: 'setProperty', id: 'R1', name: 'Value', value }) as const

async function refusalOf(work: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await work
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, ...error.extensions }
    throw error
  }
  return {}
}

test('[H-74] the file has the change when it is answered, with who and why', async () => {
  const workspace = await lampWorkspace()
  await using browser = await site.open(workspace.name)
  const opened = await workspace.files.document(PATH)
  const { revision, isChanged } = await workspace.boards.change(PATH, [valueOf('22k')], {
    reason: 'Too bright',
  })
  expect(isChanged).toBe(true)
  expect(await read(workspace)).toContain('"22k"')
  const edited = await workspace.files.document(PATH)
  // Whoever has the text open is told of an edit of it, and not of another file.
  expect(edited).toMatchObject({ document: opened.document, version: opened.version + 1 })
  expect(edited.savedVersion).toBe(edited.version)
  const [last] = await workspace.files.history({ path: PATH, limit: 1 })
  expect(last).toMatchObject({ revision, by: { kind: 'api_key' } })
  await vi.waitFor(
    () =>
      expect(browser.acted).toContainEqual(
        expect.objectContaining({ action: `files edit ${PATH}`, reason: 'Too bright' }),
      ),
    WAIT,
  )
  expect(await workspace.boards.change(PATH, [valueOf('22k')])).toMatchObject({ isChanged: false })
})

deepTest('[H-74] changes and edits of the text at once all have their effect', async () => {
  const workspace = await lampWorkspace()
  const changes = Array.from({ length: 6 }, (_, index) =>
    workspace.boards.change(PATH, [
      {
        type: 'addText',
        text: `note ${index}`,
        at: { x: 50_800_000, y: (index + 1) * 12_700_000 },
        angle: 0,
      },
    ]),
  )
  const edits = workspace.files.edit(PATH, [{ find: '(paper "A4")', replace: '(paper "A3")' }])
  await Promise.all([...changes, edits])
  await vi.waitFor(async () => {
    const text = await read(workspace)
    expect(text).toContain('(paper "A3")')
    for (let index = 0; index < 6; index += 1) expect(text).toContain(`(text "note ${index}"`)
  }, WAIT)
})

test('[H-72] what makes no sense is 422 with the change that is meant', async () => {
  const workspace = await lampWorkspace()
  const before = await read(workspace)
  const refused = workspace.boards.change(PATH, [valueOf('1k'), { type: 'delete', ids: ['R9'] }])
  expect(await refusalOf(refused)).toEqual({
    code: 'schematic_change_refused',
    change: 1,
    refusal: 'no_such_item',
    item: 'R9',
  })
  expect(await read(workspace)).toBe(before)
  await workspace.files.write('notes.txt', 'text')
  await workspace.files.write('bad.kicad_sch', '(kicad_sch')
  expect(await refusalOf(workspace.boards.change('notes.txt', [valueOf('1')]))).toMatchObject({
    code: 'board_file_refused',
  })
  expect(await refusalOf(workspace.boards.change('bad.kicad_sch', [valueOf('1')]))).toMatchObject({
    code: 'board_file_refused',
    line: 1,
  })
  expect(await refusalOf(workspace.boards.change('none.kicad_sch', [valueOf('1')]))).toMatchObject({
    code: 'file_not_found',
  })
  const tooMany = Array.from({ length: 51 }, () => valueOf('1'))
  expect(await refusalOf(workspace.boards.change(PATH, tooMany))).toMatchObject({ code: 'invalid_request' })
})

test('[H-75] whoever may only read the files changes nothing', async () => {
  const workspace = await lampWorkspace()
  const apiKey = await site.apiKey(`files:read:${workspace.name}`)
  const { owner, repo } = workspace
  const reader = connectWorkspaces({ baseUrl: site.url, apiKey }).workspace({ owner, repo })
  expect(await refusalOf(reader.boards.change(PATH, [valueOf('1k')]))).toMatchObject({
    code: 'not_permitted',
  })
})
