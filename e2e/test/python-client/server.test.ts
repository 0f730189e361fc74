import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectWorkspaces } from '@patchbay/client/workspaces'
import { createSimulation } from '@patchbay/dev/simulation'
import { waitUntil } from '@patchbay/testkit/processes'
import { afterAll, vi } from 'vitest'
import { startClientServer } from '../client/start-server.ts'
import { openSession, pageHeaders } from '../installation/accounts.ts'
import { packArchive } from '../packages-pages/archives.ts'
import { createApiKey } from '../workspace-cli/api-key.ts'
import { openStandIn } from '../workspace-cli/stand-in-browser.ts'
import { startMotor } from '../workspace-devices/motor.ts'
import { testPython } from './python-tests.ts'

vi.setConfig({ testTimeout: 240_000 })

const owner = 'ada'
const cleanup = new AsyncDisposableStack()
afterAll(() => cleanup.disposeAsync())

testPython('live', async () => {
  const server = cleanup.use(await startClientServer({ PATCHBAY_MQTT_PORT: '0' }))
  const { url } = server
  const session = await openSession(server, { id: server.ada.id, handle: owner })
  const areas = ['panels', 'packages', 'files:write', 'devices:command']
  const scopes = areas.map((area) => `${area}:${owner}/*`)
  const key = await createApiKey(url, session, scopes)
  const workspaces = connectWorkspaces({ baseUrl: url, apiKey: key })

  const folder = await mkdtemp(join(tmpdir(), 'patchbay-python-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const [archive, privateArchive] = [join(folder, 'blinky.zip'), join(folder, 'hidden.zip')]
  await writeFile(archive, await packArchive({}))
  await writeFile(privateArchive, await packArchive({ identifier: 'com.example.hidden' }))

  const open = workspaces.workspace({ owner, repo: 'open' })
  await open.make()
  const { tabId } = await open.addTab('sandbox')
  const browser = cleanup.use(await openStandIn({ url, session, owner, repo: open.repo }))
  browser.share(true)
  browser.setReady(tabId)

  const moving = workspaces.workspace({ owner, repo: 'moving' })
  await moving.make()
  cleanup.use(await startMotor(await moving.devices.add({ name: 'motor' }), moving.devices))

  // What `patchbay device simulate ada/bench lights` connects.
  const bench = workspaces.workspace({ owner, repo: 'bench' })
  await bench.make()
  const { key: lightsKey, connection } = await bench.devices.add({ name: 'lights' })
  if (connection === null) throw new Error('the server takes values over HTTP alone')
  const simulation = createSimulation({ now: Date.now, random: Math.random })
  cleanup.defer(() => simulation.close())
  simulation.start([{ name: 'lights', key: lightsKey, connection }])
  const isOnline = async () => (await bench.devices.get('lights')).device.status === 'online'
  await waitUntil('the lights are online', isOnline, { deadlineMs: 60_000 })

  const told = {
    url,
    owner,
    key,
    archive,
    privateArchive,
    openWorkspace: `${owner}/${open.repo}`,
    motorWorkspace: `${owner}/${moving.repo}`,
    pageHeaders: pageHeaders(session, url),
  }
  return { PATCHBAY_TEST_SITE: JSON.stringify(told) }
})
