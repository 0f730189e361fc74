import { readFile } from 'node:fs/promises'
import { connectWorkspace } from '@patchbay/client/workspaces'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { runGuide } from '../workspace-cli/run-guide.ts'
import { startBoardInstallation, whyNoKicad } from './kicad.ts'
import { BOARD, EMPTY_SHEET, LAMP } from './sheets.ts'

const GUIDE = 'work-on-a-board-with-an-agent.md'
const noKicad = whyNoKicad()

deepTest.skipIf(noKicad !== undefined)(
  `[CLI-250][CLI-251][CLI-252] the commands of the guide run as they are${noKicad === undefined ? '' : `: ${noKicad}`}`,
  { timeout: 600_000 },
  async () => {
    await using site = await startBoardInstallation()
    await site.startWorker()
    const scopes = [`panels:${site.owner}/*`, `files:write:${site.owner}/*`]
    const apiKey = await site.apiKey(...scopes)
    const workspace = connectWorkspace({ baseUrl: site.url, apiKey, owner: site.owner, repo: 'lamp' })
    await workspace.make()
    await workspace.files.write('hw/lamp.kicad_sch', EMPTY_SHEET)
    await workspace.files.write('hw/lamp.kicad_pcb', BOARD)
    await workspace.boards.change('hw/lamp.kicad_sch', LAMP)
    await using user = await site.shell(...scopes)
    const { blocks, stdout } = await runGuide(GUIDE, site, user, scopes)
    expect(blocks).toBe(1)
    expect(stdout).toContain('pin_not_connected')
    expect((await readFile(user.at('lamp.zip'))).subarray(0, 2).toString()).toBe('PK')
  },
)

test('[VA-75][VA-76][VA-77][VA-79][VA-80][VA-81] the guide names the tools that there are', async () => {
  const read = async (path: string) => await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')
  const sources = await Promise.all(
    ['boards', 'nets', 'change-schematic', 'libraries'].map((name) =>
      read(`apps/viewer/src/mcp/workspace/${name}.ts`),
    ),
  )
  const tools = [...sources.join('').matchAll(/name: '(av_\w+)'/g)].map(([, name]) => name)
  const named = [...(await read(`docs/guides/${GUIDE}`)).matchAll(/^\| `(av_\w+)`/gm)].map(([, name]) => name)
  expect(new Set(named)).toEqual(new Set(tools))
})
