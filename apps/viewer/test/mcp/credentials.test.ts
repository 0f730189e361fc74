import { createServer } from 'node:net'
import { credentialsFolder, openCredentials } from '@patchbay/client/credentials'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { expect } from 'vitest'
import { textOf } from './agents.ts'
import { startInside } from './inside.ts'
import { createDesk } from './rig.ts'

const TOOLS = [
  ['av_list_panels', {}],
  ['av_navigate', { url: 'viewer' }],
  ['av_eval', { code: '1' }],
  ['av_eval_result', { id: '0198c2f4-7d1e-7b3a-9c55-2f6e1d0a4b8c' }],
  ['av_screenshot', {}],
  ['av_list_files', {}],
  ['av_read_file', { path: 'a' }],
  ['av_write_file', { path: 'a', text: 'b' }],
  ['av_edit_file', { path: 'a', edits: [{ find: 'a', replace: 'b' }] }],
  ['av_search_files', { text: 'a' }],
  ['av_list_devices', {}],
  ['av_read_device', { device: 'motor' }],
  ['av_watch_device', { device: 'motor' }],
  ['av_command_device', { device: 'motor', channel: 'speed', value: 1, reason: 'test' }],
  ['av_stop_devices', {}],
] as const

deepTest(
  '[VA-55][VA-57] without a login the tools say how to sign in; after one they go on, and a server that is away is told',
  async () => {
    const server = `http://127.0.0.1:${await freePort()}`
    await using desk = await createDesk({ env: { PATCHBAY_SERVER_URL: server } })
    await using agent = await startInside(desk)
    for (const [tool, given] of TOOLS) {
      const answer = await agent.call(tool, given)
      expect(answer.isError).toBe(true)
      expect(textOf(answer)).toContain(`Nobody is signed in to ${server}`)
      expect(textOf(answer)).toContain('patchbay login')
    }
    const sessionToken = 'tok_secret'
    await openCredentials(credentialsFolder(desk.env)).store(server, {
      sessionToken,
      handle: 'ada',
      expiresAt: null,
    })
    for (const [tool, given] of TOOLS) {
      const answer = await agent.call(tool, given)
      expect(answer.isError).toBe(true)
      expect(textOf(answer)).toContain(`${server} does not answer right now`)
      expect(JSON.stringify(answer)).not.toContain(sessionToken)
    }
  },
)

test('[VA-60] F4: where no server is configured they act on the one of the last login', async () => {
  const server = `http://127.0.0.1:${await freePort()}`
  await using desk = await createDesk()
  await openCredentials(credentialsFolder(desk.env)).store(server, {
    sessionToken: 'tok_secret',
    handle: 'ada',
    expiresAt: null,
    login: { server, at: '2026-01-01T00:00:00.000Z' },
  })
  await using agent = await startInside(desk)
  expect(textOf(await agent.call('av_list_panels'))).toContain(`${server} does not answer right now`)
})

test('[VA-55][VA-57] a key without a server is sent to nobody; a malformed one is refused without being shown', async () => {
  await using desk = await createDesk()
  const start = (env: Record<string, string>) => startInside(desk, { env })
  await using alone = await start({ PATCHBAY_API_KEY: 'pbk_alone' })
  await using broken = await start({
    PATCHBAY_SERVER_URL: 'http://127.0.0.1:1',
    PATCHBAY_API_KEY: 'pbk bro\u00e9ken',
  })
  await using plain = await start({
    PATCHBAY_SERVER_URL: 'http://192.0.2.1',
    PATCHBAY_API_KEY: 'pbk_x',
  })
  const unsent = textOf(await alone.call('av_list_panels'))
  expect(unsent).toContain('set PATCHBAY_SERVER_URL as well')
  expect(unsent).not.toContain('pbk_alone')
  const refused = textOf(await broken.call('av_list_panels'))
  expect(refused).toContain('characters that no API key has')
  expect(refused).not.toContain('ken"')
  expect(textOf(await plain.call('av_list_panels'))).toContain('PATCHBAY_SERVER_URL must be encrypted')
})

test('[VA-57] something that is no Patchbay, and somebody who says nothing at all, are told', async () => {
  const noise = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi')).listen(
    0,
    '127.0.0.1',
  )
  const { port } = await new Promise<{ port: number }>((resolve) => {
    noise.once('listening', () => resolve(noise.address() as { port: number }))
  })
  const server = `http://127.0.0.1:${port}`
  await using desk = await createDesk({ env: { PATCHBAY_SERVER_URL: server, PATCHBAY_API_KEY: 'pbk_x' } })
  await using agent = await startInside(desk)
  expect(textOf(await agent.call('av_list_panels', { workspace: 'ada/board' }))).toContain(
    'not as Patchbay does',
  )
  expect(textOf(await agent.call('av_list_panels', { workspace: 'ada board' }))).toContain(
    'such as ada/board',
  )
  noise.close()
})
