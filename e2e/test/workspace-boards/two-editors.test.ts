import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { connectWorkspaces, type Workspace } from '@patchbay/client/workspaces'
import { WORKSPACE_SOCKET_PATH, type WorkspaceMessage } from '@patchbay/contracts/panels'
import { parse, readSchematic } from '@patchbay/kicad-format'
import { depth } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { anyChange, chance } from '@patchbay/web/test/any-change'
import { LAMP } from '@patchbay/web/test/lamp-project'
import { LoneEditor } from '@patchbay/web/test/lone-editor'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { pageHeaders } from '../installation/accounts.ts'
import { type Installation, startInstallation } from '../workspace-cli/installation.ts'

const SHEETS = depth({ common: 3, deep: 60 })
const STEPS = 24
const LONG = { deadlineMs: 60_000 }

/** A connection as a page has it, and editors of sheets on it. */
interface Connection extends AsyncDisposable {
  edit(path: string): Promise<LoneEditor>
}

async function connect(site: Installation, workspace: Workspace, name: string): Promise<Connection> {
  const [owner = '', repo = ''] = name.split('/')
  const headers = pageHeaders(site.session, site.url)
  const socket = new WebSocket(`${site.url.replace('http', 'ws')}${WORKSPACE_SOCKET_PATH}`, { headers })
  const editors = new Set<LoneEditor>()
  let isOpen = false
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString('utf8')) as WorkspaceMessage
    if (message.type === 'opened') isOpen = true
    if (message.type === 'channel')
      for (const editor of editors) editor.hear(message.channel, message.message)
  })
  await once(socket, 'open')
  const send = (message: object) => socket.send(JSON.stringify(message))
  const browserId = randomUUID()
  send({ type: 'open', owner, repo, browserId, isVisible: true, isFocused: true, isSharing: false })
  await waitUntil('the workspace is open', () => isOpen, LONG)
  return {
    async edit(path) {
      const editor = new LoneEditor({
        clientId: randomUUID(),
        path,
        load: (wanted) => workspace.files.document(wanted),
        say: (channel, message) => send({ type: 'channel', channel, message }),
      })
      editors.add(editor)
      await waitUntil('the sheet is open', () => editor.status.state === 'open', LONG)
      return editor
    },
    async [Symbol.asyncDispose]() {
      socket.close()
      if (socket.readyState !== WebSocket.CLOSED) await once(socket, 'close')
    },
  }
}

test('[W-929] whatever two editors do at once over the server, both end with its text, and undo leads back to the byte', async () => {
  await using site = await startInstallation()
  const scopes = [`panels:${site.owner}/*`, `files:write:${site.owner}/*`]
  const name = site.newWorkspace()
  const [owner = '', repo = ''] = name.split('/')
  const apiKey = await site.apiKey(...scopes)
  const workspace = connectWorkspaces({ baseUrl: site.url, apiKey }).workspace({ owner, repo })
  await workspace.make()
  await using first = await connect(site, workspace, name)
  await using second = await connect(site, workspace, name)
  let count = 0
  for (let seed = 0; seed < SHEETS; seed += 1) {
    const next = chance(seed)
    const path = `board/sheet-${seed}.kicad_sch`
    await workspace.files.write(path, LAMP['lamp.kicad_sch'] ?? '')
    const [ada, ben] = [await first.edit(path), await second.edit(path)]
    const isSame = () => ada.isSent && ben.isSent && ada.text === ben.text
    // Both take away the same thing before either hears of the other: whatever chance does, one comes too late once.
    const [shared] = ada.document === undefined ? [] : (readSchematic(ada.document)?.items ?? [])
    for (const editor of [ada, ben]) editor.change([{ type: 'delete', ids: [shared?.id ?? ''] }])
    await waitUntil(`seed ${seed}: one of them came too late`, isSame, LONG)
    expect([seed, ada.dropped + ben.dropped]).toEqual([seed, 1])
    for (let step = 0; step < STEPS; step += 1) {
      const editor = next(2) === 0 ? ada : ben
      const act = next(8)
      if (act === 0) editor.undo()
      else if (act === 1) editor.redo()
      // What was sent may arrive, or more is done first.
      else if (act === 2) await setImmediate()
      else if (act === 3) await waitUntil(`seed ${seed}: it is sent`, () => editor.isSent, LONG)
      else if (editor.document !== undefined && editor.change([anyChange(editor.document, next)])) count += 1
    }
    await waitUntil(`seed ${seed}: both have the same`, isSame, LONG)
    const server = async () => (await workspace.files.document(path)).text
    expect([seed, await server()]).toEqual([seed, ada.text])
    expect([seed, readSchematic(parse(ada.text ?? ''))?.unknown]).toEqual([seed, []])
    // Alone from here on, each step back gives the bytes that were there.
    const before = ada.text
    const made = [0, 1, 2].filter(
      () => ada.document !== undefined && ada.change([anyChange(ada.document, next)]),
    ).length
    await waitUntil(`seed ${seed}: the other one follows`, isSame, LONG)
    for (let step = 0; step < made; step += 1) expect([seed, ada.undo()]).toEqual([seed, true])
    await waitUntil(`seed ${seed}: the other one follows back`, isSame, LONG)
    expect([seed, ben.text, await server()]).toEqual([seed, before, before])
    for (const editor of [ada, ben]) editor.close()
  }
  expect(count).toBeGreaterThan(20)
}, 1_200_000)
