import { boardOf, LAMP_SYMBOL } from '@patchbay/boards/test/lamp-library'
import type { User } from '@patchbay/cli/test/user'
import { type BoardCheckReport, connectWorkspaces, type Workspace } from '@patchbay/client/workspaces'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { type BoardInstallation, startBoardInstallation, whyNoKicad } from './kicad.ts'
import { LAMPS, writeLamps } from './lamp-library.ts'
import { EMPTY_SHEET } from './sheets.ts'

vi.setConfig({ testTimeout: 240_000 })

const noKicad = whyNoKicad()
const SHEET = 'hw/lamp.kicad_sch'
const PCB = 'hw/lamp.kicad_pcb'

let site: BoardInstallation
let user: User
beforeAll(async () => {
  site = await startBoardInstallation()
  const { owner } = site
  user = await site.shell(`panels:${owner}/*`, `files:write:${owner}/*`, `packages:${owner}/*`)
})
afterAll(async () => {
  await user[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

async function newWorkspace(): Promise<Workspace & { readonly name: string }> {
  const name = site.newWorkspace()
  const [owner = '', repo = ''] = name.split('/')
  const apiKey = await site.apiKey(`panels:${owner}/*`, `files:write:${owner}/*`)
  const workspace = connectWorkspaces({ baseUrl: site.url, apiKey }).workspace({ owner, repo })
  await workspace.make()
  return Object.assign(workspace, { name })
}

async function publishLamps(version: string, model: string | Uint8Array = 'a model'): Promise<void> {
  await writeLamps(user.at('lamps', version), { version, model })
  expect(await user.run('package', 'publish', user.at('lamps', version))).toMatchObject({ code: 0 })
}

test('[CLI-255] libraries are listed, added at a version and removed, and what is refused says what to do', async () => {
  const { name } = await newWorkspace()
  await publishLamps('1.0')
  await publishLamps('1.1')
  const run = (...words: string[]) => user.run('board', 'libraries', ...words)
  expect((await run('list', name)).stdout).toContain('has no library packages.')
  expect(await run('add', name, `${LAMPS}@1.0`)).toMatchObject({
    code: 0,
    stdout: `Added ${LAMPS} 1.0 to ${name}: 1 symbol library, 1 footprint library, 1 3D model.\nKiCad calls it PCM_Lamps.\n`,
  })
  expect((await run('add', name, LAMPS, '--reason', 'newer')).stdout).toContain(`Added ${LAMPS} 1.1`)
  expect((await run('list', name)).stdout).toMatch(/^com\.example\.lamps {2}1\.1 {2}1 symbol library, /)
  const { libraries } = JSON.parse((await run('list', name, '--json')).stdout) as { libraries: object[] }
  expect(libraries).toMatchObject([{ identifier: LAMPS, version: '1.1', footprints: ['PCM_Lamps'] }])
  const missing = await run('add', name, `${LAMPS}@7.7`)
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('search --type library') })
  expect(await run('remove', name, LAMPS, '--reason', 'no lamp')).toMatchObject({ code: 0 })
  const gone = await run('remove', name, LAMPS)
  expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining(`board libraries list ${name}`) })
})

deepTest.skipIf(noKicad !== undefined)(
  `[H-86][CL-157] a published library is added, its symbol placed, and KiCad finds it in checks and models${noKicad === undefined ? '' : `: ${noKicad}`}`,
  async () => {
    await site.startWorker()
    const workspace = await newWorkspace()
    const { boards, files, name } = workspace
    await files.write('box.kicad_pcb', boardOf(2))
    const box = await boards.run({ operation: 'step', path: 'box.kicad_pcb' })
    await publishLamps('2.0', await boards.read(box.id, 'board.step'))
    expect(await user.run('board', 'libraries', 'add', name, LAMPS)).toMatchObject({ code: 0 })

    const [library] = await boards.libraries.list()
    if (library === undefined) throw new Error('no library')
    const text = await boards.libraries.readSymbols(library, 'PCM_Lamps')
    expect(text).toContain(LAMP_SYMBOL)
    await files.write(SHEET, EMPTY_SHEET)
    await boards.change(SHEET, [
      {
        type: 'addSymbol',
        libId: 'PCM_Lamps:Lamp',
        definition: LAMP_SYMBOL,
        at: { x: 101_600_000, y: 76_200_000 },
        angle: 0,
      },
    ])
    await files.write(PCB, boardOf(20, { series: 9 }))
    const faults = async () => {
      const report = (await boards.report(
        await boards.run({ operation: 'erc', path: SHEET }),
      )) as BoardCheckReport
      return report.violations.map(({ type }) => type).filter((type) => type !== 'pin_not_connected')
    }
    expect(await faults()).toEqual([])
    expect((await boards.run({ operation: 'model', path: PCB })).notes).toEqual([])
    expect((await boards.run({ operation: 'step', path: PCB })).notes).toEqual([])
    await boards.libraries.remove(LAMPS)
    expect(await faults()).toContain('lib_symbol_issues')
    expect((await boards.run({ operation: 'model', path: PCB })).notes).toEqual([
      expect.stringContaining('Lamp.step'),
    ])
  },
)
