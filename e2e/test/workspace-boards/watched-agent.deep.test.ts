import { connectWorkspaces } from '@patchbay/client/workspaces'
import { openPage, sharedChromium } from '@patchbay/testkit/chromium'
import { connectAgent, textOf } from '@patchbay/viewer-app/test/agents'
import { createDesk } from '@patchbay/viewer-app/test/desk'
import { expect, test } from 'vitest'
import { sessionCookie } from '../installation/accounts.ts'
import { panelNamed } from '../workspace-pages/workspace.ts'
import { startBoardInstallation, whyNoKicad } from './kicad.ts'
import { CONNECTIONS, EMPTY_SHEET, LAMP } from './sheets.ts'

const noKicad = whyNoKicad()
const PATH = 'hw/lamp.kicad_sch'
/** KiCad is started for each check, beside everything else that runs. */
const patient = { timeout: 120_000 }

test.skipIf(noKicad !== undefined)(
  `[W-925][W-926][W-927][VA-75][VA-76][VA-77][VA-79] a person watches in the editor how an agent finds what is wrong and mends it${noKicad === undefined ? '' : `: ${noKicad}`}`,
  async () => {
    await using site = await startBoardInstallation()
    await site.startWorker()
    const scopes = [`panels:${site.owner}/*`, `files:write:${site.owner}/*`]
    const name = site.newWorkspace()
    const [owner = '', repo = ''] = name.split('/')
    const api = connectWorkspaces({ baseUrl: site.url, apiKey: await site.apiKey(...scopes) })
    const workspace = api.workspace({ owner, repo })
    await workspace.make()
    await workspace.files.write(PATH, EMPTY_SHEET)
    await workspace.files.write('hw/lamp.kicad_pro', '{"meta":{"filename":"lamp.kicad_pro","version":3}}')
    await workspace.boards.change(PATH, LAMP)
    await workspace.addTab('schematic-editor', { initialState: { path: PATH } })

    await using visit = await openPage(await sharedChromium(), {
      viewport: { width: 1_200, height: 800 },
      reducedMotion: 'reduce',
    })
    const { page } = visit
    const url = site.url.replace('http:', 'https:')
    await page.context().addCookies([{ ...sessionCookie(site.session), url, secure: true }])
    await page.goto(`${site.url}/workspaces/${name}`)
    const panel = panelNamed(page, 'Schematic editor')
    await panel.getByRole('button', { name: /^Checks: [1-9]\d* errors?, / }).click(patient)
    const list = panel.getByRole('listbox', { name: 'What the electrical rules check found' })
    const open = list.getByRole('option', { name: /Error.*Pin not connected.*U1 Pin 1/is })
    await open.click()
    await panel.getByText('1 item selected').waitFor()
    const sheet = panel.getByRole('application')
    const picture = async () => (await sheet.screenshot({ animations: 'disabled' })).toString('base64')
    const marked = await picture()

    await using desk = await createDesk({ env: await site.environment(...scopes) })
    await using agent = await connectAgent('2.x', 'stdio', desk.reach)
    const at = { workspace: name, path: PATH }
    expect(textOf(await agent.call('av_read_nets', { ...at, reference: 'U1', pin: '1' }))).toContain(
      'nothing else',
    )
    const checked = await agent.call('av_check_board', at)
    expect(checked.structuredContent).toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({ rule: 'pin_not_connected' })]),
    })
    const mended = await agent.call('av_change_schematic', {
      ...at,
      changes: CONNECTIONS,
      reason: 'Nothing drives the buffer',
    })
    expect(mended.isError ?? false).toBe(false)

    // The change is there for the person at once, what was found before is said to be old, and then the marks go.
    await expect.poll(picture, patient).not.toBe(marked)
    await panel.getByRole('button', { name: /^Checks: 0 errors, / }).waitFor(patient)
    await expect.poll(() => list.getByRole('option', { name: /^Error/ }).count(), patient).toBe(0)
    expect(await panel.getByText('The schematic has changed since.').count()).toBe(0)
    expect(await open.count()).toBe(0)

    expect((await agent.call('av_check_board', at)).structuredContent).toMatchObject({ errors: 0 })
    expect(textOf(await agent.call('av_read_nets', { ...at, net: 'LAMP' }))).toContain('U1.2 Y (output, BUF)')
    const drawn = await agent.call('av_render_board', { ...at, width: 1_000 })
    expect(drawn.content).toContainEqual(expect.objectContaining({ type: 'image' }))
  },
  600_000,
)
