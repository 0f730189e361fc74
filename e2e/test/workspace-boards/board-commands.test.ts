import { readFile, writeFile } from 'node:fs/promises'
import type { User } from '@patchbay/cli/test/user'
import { connectWorkspaces, type Workspace, type Workspaces } from '@patchbay/client/workspaces'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type BoardInstallation, startBoardInstallation, whyNoKicad } from './kicad.ts'
import { BOARD, EMPTY_SHEET, LAMP } from './sheets.ts'

vi.setConfig({ testTimeout: 180_000 })

const noKicad = whyNoKicad()
const why = noKicad === undefined ? '' : `: ${noKicad}`
const SHEET = 'hw/lamp.kicad_sch'
const PCB = 'hw/lamp.kicad_pcb'

let site: BoardInstallation
let workspaces: Workspaces
let user: User
let working: Promise<void> | undefined
const withWorker = () => (working ??= site.startWorker())
beforeAll(async () => {
  site = await startBoardInstallation()
  const scopes = [`panels:${site.owner}/*`, `files:write:${site.owner}/*`]
  workspaces = connectWorkspaces({ baseUrl: site.url, apiKey: await site.apiKey(...scopes) })
  user = await site.shell(...scopes)
})
afterAll(async () => {
  await user[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

async function lampWorkspace(): Promise<Workspace & { readonly name: string }> {
  const name = site.newWorkspace()
  const [owner = '', repo = ''] = name.split('/')
  const workspace = workspaces.workspace({ owner, repo })
  await workspace.make()
  await workspace.files.write(SHEET, EMPTY_SHEET)
  await workspace.files.write(PCB, BOARD)
  await workspace.files.write('hw/lamp.kicad_pro', '{}')
  await workspace.boards.change(SHEET, LAMP)
  return Object.assign(workspace, { name })
}

test('[CLI-253] without KiCad that is told, with what its operator installs', async () => {
  const { name } = await lampWorkspace()
  const { code, stderr } = await user.run('board', 'check', name, SHEET)
  expect(code).toBe(69)
  expect(stderr).toContain('no KiCad at work')
  expect(await user.run('board', 'check', name, 'notes.txt')).toMatchObject({ code: 2 })
})

test.skipIf(noKicad !== undefined)(
  `[CLI-250] the rules are checked, and errors are exit code 1${why}`,
  async () => {
    await withWorker()
    const workspace = await lampWorkspace()
    const { name } = workspace
    const found = await user.run('board', 'check', name, SHEET)
    expect(found.code).toBe(1)
    expect(found.stdout).toMatch(/^Electrical rules: \d+ errors, /)
    expect(found.stdout).toMatch(/error pin_not_connected: .*\n {4}Symbol U1 Pin 1 .* at 93\.98, 76\.2 mm/)
    const both = await user.run('board', 'check', name, 'hw/lamp.kicad_pro', '--json')
    const { reports } = JSON.parse(both.stdout) as { reports: { kind: string }[] }
    expect(reports.map(({ kind }) => kind)).toEqual(['erc', 'drc'])
    const pins = (...names: readonly [string, string][]) =>
      names.map(([reference, pin]) => ({ reference, pin }))
    await workspace.boards.change(SHEET, [
      { type: 'connect', pins: pins(['R1', '2'], ['U1', '1']) },
      { type: 'connect', pins: pins(['U1', '2'], ['R2', '1']) },
      { type: 'connect', pins: pins(['R1', '1'], ['R2', '2']) },
    ])
    const clean = await user.run('board', 'check', name, SHEET)
    expect(clean).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Electrical rules: 0 errors/) })
    const missing = await user.run('board', 'check', name, 'hw/lamp2.kicad_sch')
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining(`Did you mean ${SHEET}?`) })
  },
)

test.skipIf(noKicad !== undefined)(`[CLI-251] a sheet is drawn as SVG and a board as PNG${why}`, async () => {
  await withWorker()
  const { name } = await lampWorkspace()
  const svg = user.at('lamp.svg')
  const drawn = await user.run('board', 'render', name, SHEET, '--output', svg)
  expect(drawn).toMatchObject({ code: 0, stdout: expect.stringContaining('Wrote ') })
  expect(await readFile(svg, 'utf8')).toContain('<svg')
  const png = user.at('lamp.png')
  await writeFile(png, 'mine')
  const taken = [
    'board',
    'render',
    name,
    PCB,
    '--side',
    'bottom',
    '--width',
    '200',
    '--height',
    '100',
    '--output',
    png,
  ]
  expect(await user.run(...taken)).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') })
  expect(await readFile(png, 'utf8')).toBe('mine')
  expect(await user.run(...taken, '--force')).toMatchObject({ code: 0 })
  expect((await readFile(png)).subarray(1, 4).toString()).toBe('PNG')
  const unknown = await user.run('board', 'render', name, SHEET, '--sheet', '/power/')
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('There are: ') })
  expect(await user.run('board', 'render', name, PCB, '--sheet', '/')).toMatchObject({ code: 2 })
})

test.skipIf(noKicad !== undefined)(
  `[CLI-252] what is exported goes to standard output or into a file${why}`,
  async () => {
    await withWorker()
    const workspace = await lampWorkspace()
    const { name } = workspace
    const netlist = user.start('board', 'export', name, SHEET, '--as', 'netlist')
    expect(await netlist.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('(export') })
    const archive = user.at('lamp.zip')
    const written = await user.json<{ file: string; size: number }>(
      'board',
      'export',
      name,
      PCB,
      '--as',
      'gerbers',
      '--output',
      archive,
    )
    const bytes = await readFile(archive)
    expect(bytes.subarray(0, 2).toString()).toBe('PK')
    expect(written).toMatchObject({ file: archive, size: bytes.length })
    const wrong = await user.run(
      'board',
      'export',
      name,
      SHEET,
      '--as',
      'gerbers',
      '--output',
      user.at('no.zip'),
    )
    expect(wrong.code).toBe(1)
    await workspace.files.write('bad.kicad_sch', 'no schematic')
    const bad = await user.run('board', 'export', name, 'bad.kicad_sch', '--as', 'bom')
    expect(bad).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('KiCad cannot do this with bad.kicad_sch'),
    })
  },
)

test.skipIf(noKicad !== undefined)(`[CLI-256] Ctrl-C withdraws what is waited for${why}`, async () => {
  await withWorker()
  const { name, boards } = await lampWorkspace()
  const size = ['--width', '4096', '--height', '4096']
  const running = user.start('board', 'render', name, PCB, ...size, '--output', 'never.png')
  await expect.poll(async () => (await boards.list()).length, { timeout: 60_000 }).toBe(1)
  running.child.kill('SIGINT')
  expect(await running.ended).toMatchObject({ code: 130, stderr: expect.stringContaining('KiCad stops too') })
  expect(await boards.list()).toMatchObject([{ state: 'refused', fault: { code: 'withdrawn' } }])
})
