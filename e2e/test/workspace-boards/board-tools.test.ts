import { connectWorkspaces, type Workspace, type Workspaces } from '@patchbay/client/workspaces'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { type Agent, connectAgent, textOf } from '@patchbay/viewer-app/test/agents'
import { createDesk, type Desk } from '@patchbay/viewer-app/test/desk'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { type BoardInstallation, startBoardInstallation, whyNoKicad } from './kicad.ts'
import { BOARD, CONNECTIONS, EMPTY_SHEET, LAMP } from './sheets.ts'

vi.setConfig({ testTimeout: 180_000 })

const noKicad = whyNoKicad()
const why = noKicad === undefined ? '' : `: ${noKicad}`
const PATH = 'hw/lamp.kicad_sch'

let site: BoardInstallation
let desk: Desk
let agent: Agent
let workspaces: Workspaces
let isWorking = false
beforeAll(async () => {
  site = await startBoardInstallation()
  const scopes = [`panels:${site.owner}/*`, `files:write:${site.owner}/*`]
  workspaces = connectWorkspaces({ baseUrl: site.url, apiKey: await site.apiKey(...scopes) })
  desk = await createDesk({ env: await site.environment(...scopes) })
  agent = await connectAgent('2.x', 'stdio', desk.reach)
})
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await desk[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

async function lampWorkspace(): Promise<Workspace & { readonly name: string }> {
  const name = site.newWorkspace()
  const [owner = '', repo = ''] = name.split('/')
  const workspace = workspaces.workspace({ owner, repo })
  await workspace.make()
  await workspace.files.write(PATH, EMPTY_SHEET)
  await workspace.boards.change(PATH, LAMP)
  return Object.assign(workspace, { name })
}

const picturesIn = ({ content }: { content: unknown }) =>
  (content as { type: string; data: string }[])
    .filter(({ type }) => type === 'image')
    .map(({ data }) => PNG.sync.read(Buffer.from(data, 'base64')))

function colorsIn(picture: PNG | undefined): Set<string> {
  const colors = new Set<string>()
  const data = picture?.data ?? Buffer.alloc(0)
  for (let at = 0; at < data.length; at += 4) colors.add(data.subarray(at, at + 3).join(','))
  return colors
}

async function withWorker(): Promise<void> {
  if (isWorking) return
  await site.startWorker()
  isWorking = true
}

test('[VA-78] without KiCad that is told, and nets are read and schematics changed all the same', async () => {
  const { name } = await lampWorkspace()
  const checked = await agent.call('av_check_board', { workspace: name, path: PATH })
  expect(checked.isError).toBe(true)
  expect(textOf(checked)).toContain('has no KiCad at work')
  const read = await agent.call('av_read_nets', { workspace: name, path: PATH, reference: 'U1', pin: '1' })
  expect(read.structuredContent).toMatchObject({
    nets: [{ pins: [{ reference: 'U1', pin: '1', name: 'A', type: 'input', value: 'BUF' }] }],
  })
})

deepTest(
  '[VA-76] nets of pins, of symbols and by name, and what is not there is told with what is',
  async () => {
    const workspace = await lampWorkspace()
    const { name } = workspace
    await workspace.files.write(
      'hw/root.kicad_sch',
      EMPTY_SHEET.replace('5b9623a5', '6b9623a5').replace(
        '(sheet_instances',
        `(sheet (at 50.8 50.8) (size 25.4 25.4) (uuid "00000000-0000-4000-8000-000000000001") (property "Sheetname" "lamp" (at 0 0 0)) (property "Sheetfile" "lamp.kicad_sch" (at 0 0 0)))
      (sheet (at 101.6 50.8) (size 25.4 25.4) (uuid "00000000-0000-4000-8000-000000000002") (property "Sheetname" "gone" (at 0 0 0)) (property "Sheetfile" "../gone.kicad_sch" (at 0 0 0)))
	(sheet_instances`,
      ),
    )
    const ask = async (more: object) => await agent.call('av_read_nets', { workspace: name, ...more })
    const root = await ask({ path: 'hw/root.kicad_sch' })
    expect(root.structuredContent).toMatchObject({
      faults: [expect.stringContaining('gone')],
      nets: expect.arrayContaining([expect.objectContaining({ pins: [expect.anything()] })]),
    })
    await workspace.boards.change(PATH, [
      {
        type: 'connect',
        pins: [
          { reference: 'U1', pin: '2' },
          { reference: 'R2', pin: '1' },
        ],
        net: 'LAMP',
      },
    ])
    const driven = await ask({ path: 'hw/root.kicad_sch', net: '/lamp/LAMP' })
    expect(textOf(driven)).toContain('U1.2 Y (output, BUF)')
    const own = await ask({ path: PATH, net: 'LAMP' })
    expect(own.structuredContent).toMatchObject({
      nets: [{ name: '/LAMP', pins: [{ reference: 'U1' }, { reference: 'R2' }] }],
    })
    const symbol = await ask({ path: PATH, reference: 'R1' })
    expect((symbol.structuredContent as { nets: unknown[] }).nets).toHaveLength(2)
    expect(textOf(await ask({ path: PATH, reference: 'R1', pin: '9' }))).toContain('It has: 1, 2')
    expect(textOf(await ask({ path: PATH, net: 'NOPE' }))).toContain('/LAMP')
    expect(textOf(await ask({ path: PATH, pin: '1' }))).toContain('give reference')
    expect(textOf(await ask({ path: 'hw/none.kicad_sch' }))).toContain('no such file')
    await workspace.files.write('hw/bad.kicad_sch', '(kicad_sch (')
    expect(textOf(await ask({ path: 'hw/bad.kicad_sch' }))).toContain('cannot be read')
    // Twenty aliases in each of a dozen levels, and not one signal in the end.
    const aliases = Array.from(
      { length: 12 },
      (_, level) => `(bus_alias "A${level}" (members ${`"A${level + 1}" `.repeat(level === 11 ? 0 : 20)}))`,
    )
    const label =
      '(label "{A0}" (at 50.8 50.8 0) (uuid "00000000-0000-4000-8000-0000000000aa"))\n\t(sheet_instances'
    await workspace.files.write(
      'hw/tangled.kicad_sch',
      EMPTY_SHEET.replace('(sheet_instances', `${aliases.join('')}${label}`),
    )
    expect(textOf(await ask({ path: 'hw/tangled.kicad_sch' }))).toContain('Too many lines, labels or signals')
  },
)

deepTest(
  '[VA-79] a change is made with its reason, and one that makes no sense is told and changes nothing',
  async () => {
    const workspace = await lampWorkspace()
    const given = { workspace: workspace.name, path: PATH, reason: 'The resistor is too small' }
    const changed = await agent.call('av_change_schematic', {
      ...given,
      changes: [
        { do: 'set', item: 'R1', value: '22k' },
        { do: 'add_symbol', symbol: 'Device:R', at: { x: 50.8, y: 50.8 }, value: '1k' },
      ],
    })
    expect(changed.structuredContent).toMatchObject({ isChanged: true, added: [{ reference: 'R3' }] })
    const text = new TextDecoder().decode(await workspace.files.read(PATH))
    expect(text).toContain('"22k"')
    const refused = await agent.call('av_change_schematic', {
      ...given,
      changes: [
        { do: 'set', item: 'R1', value: '33k' },
        { do: 'connect', pins: ['R1.7', 'U1.1'] },
      ],
    })
    expect(refused.isError).toBe(true)
    expect(textOf(refused)).toMatch(/no symbol with this pin/)
    expect(new TextDecoder().decode(await workspace.files.read(PATH))).toBe(text)
    const reader = await connectAgent('2.x', 'stdio', {
      ...desk.reach,
      env: { ...desk.reach.env, ...(await site.environment(`files:read:${workspace.name}`)) },
    })
    try {
      const forbidden = await reader.call('av_change_schematic', {
        ...given,
        changes: [{ do: 'delete', items: ['R1'] }],
      })
      expect(textOf(forbidden)).toContain(`files:write:${workspace.name}`)
    } finally {
      await reader[Symbol.asyncDispose]()
    }
  },
)

test.skipIf(noKicad !== undefined)(
  `[VA-75] [VA-77] an agent asks what drives a net, sees the error, mends it and looks${why}`,
  async () => {
    await withWorker()
    const workspace = await lampWorkspace()
    await workspace.files.write('hw/lamp.kicad_pcb', BOARD)
    const at = { workspace: workspace.name, path: PATH }
    // What drives the input of the buffer? Nothing.
    const before = await agent.call('av_read_nets', { ...at, reference: 'U1', pin: '1' })
    expect(textOf(before)).toContain('nothing else')
    const checked = await agent.call('av_check_board', at)
    const { errors, findings } = checked.structuredContent as {
      errors: number
      findings: { rule: string; items: { description: string; x: number; y: number }[] }[]
    }
    expect(errors).toBeGreaterThan(0)
    expect(findings).toContainEqual(
      expect.objectContaining({
        rule: 'pin_not_connected',
        items: [
          expect.objectContaining({ description: expect.stringContaining('U1 Pin 1'), x: 93.98, y: 76.2 }),
        ],
      }),
    )
    const mended = await agent.call('av_change_schematic', {
      ...at,
      changes: CONNECTIONS,
      reason: 'Nothing drives the buffer',
    })
    expect(mended.isError ?? false).toBe(false)
    // The check reads what was just changed.
    const after = await agent.call('av_check_board', at)
    expect(after.structuredContent).toMatchObject({ errors: 0 })
    const driven = await agent.call('av_read_nets', { ...at, net: 'LAMP' })
    expect(textOf(driven)).toContain('U1.2 Y (output, BUF)')
    const parts = await agent.call('av_list_parts', at)
    expect(parts.structuredContent).toMatchObject({
      lines: expect.arrayContaining([
        expect.objectContaining({ value: '330', references: ['R2'], quantity: 1 }),
      ]),
    })
    const board = { ...at, path: 'hw/lamp.kicad_pcb' }
    const rules = await agent.call('av_check_board', board)
    expect(textOf(rules)).toContain('copper_edge_clearance')
    const sheet = await agent.call('av_render_board', { ...at, width: 1000 })
    const [drawn] = picturesIn(sheet)
    expect(drawn).toMatchObject({ width: 1000 })
    // The wires and labels that were just made are there, in the colors of KiCad.
    expect(colorsIn(drawn)).toContain('132,0,0')
    expect(textOf(await agent.call('av_render_board', { ...at, sheet: '/none/' }))).toContain('There are: /')
    const picture = await agent.call('av_render_board', { ...board, width: 320, height: 200 })
    expect(picturesIn(picture)).toHaveLength(1)
  },
)
