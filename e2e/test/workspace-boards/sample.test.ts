import { type BoardCheckReport, connectWorkspaces } from '@patchbay/client/workspaces'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type BoardInstallation, startBoardInstallation, whyNoKicad } from './kicad.ts'

vi.setConfig({ testTimeout: 240_000 })

const noKicad = whyNoKicad()
let site: BoardInstallation
beforeAll(async () => {
  site = await startBoardInstallation()
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
})

test.skipIf(noKicad !== undefined)(
  `[D-389] KiCad finds nothing wrong with the sample, and the nets that its text tells of${noKicad === undefined ? '' : `: ${noKicad}`}`,
  async () => {
    await site.startWorker()
    const name = site.newWorkspace()
    const [owner = '', repo = ''] = name.split('/')
    const apiKey = await site.apiKey(`panels:${owner}/*`, `files:write:${owner}/*`)
    const workspace = connectWorkspaces({ baseUrl: site.url, apiKey }).workspace({ owner, repo })
    await workspace.make({ template: 'sample' })
    const { boards } = workspace
    const path = 'night-lamp.kicad_sch'
    const check = await boards.run({ operation: 'erc', path })
    const found = (await boards.report(check)) as BoardCheckReport
    expect(found).toMatchObject({ errors: 0, warnings: 0, violations: [] })
    const netlist = await boards.run({ operation: 'netlist', path })
    const text = Buffer.from(await boards.read(netlist.id, netlist.results[0]?.name ?? '')).toString()
    expect(text).toMatch(/\/DARK[\s\S]*Q1[\s\S]*R1[\s\S]*R2/)
  },
)
