import { connectWorkspaces } from '@patchbay/client/workspaces'
import { afterAll, vi } from 'vitest'
import { startBoardInstallation, whyNoKicad } from '../workspace-boards/kicad.ts'
import { BOARD, EMPTY_SHEET, LAMP } from '../workspace-boards/sheets.ts'
import { testPython, whyNoPython } from './python-tests.ts'

vi.setConfig({ testTimeout: 400_000 })

const cleanup = new AsyncDisposableStack()
afterAll(() => cleanup.disposeAsync())

async function startBoards(): Promise<Record<string, string>> {
  const site = cleanup.use(await startBoardInstallation())
  await site.startWorker()
  const { url, owner } = site
  const key = await site.apiKey(`panels:${owner}/*`, `files:write:${owner}/*`)
  const workspace = connectWorkspaces({ baseUrl: url, apiKey: key }).workspace({ owner, repo: 'checked' })
  await workspace.make()
  await workspace.files.write('hw/lamp.kicad_sch', EMPTY_SHEET)
  await workspace.files.write('hw/lamp.kicad_pcb', BOARD)
  await workspace.files.write('bad.kicad_sch', 'no schematic')
  await workspace.boards.change('hw/lamp.kicad_sch', LAMP)
  const told = { url, owner, key, boardWorkspace: `${owner}/checked` }
  return { PATCHBAY_TEST_SITE: JSON.stringify(told) }
}

testPython('boards', startBoards, whyNoPython() ?? whyNoKicad())
