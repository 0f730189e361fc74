import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { endpoint, Problem } from '@patchbay/contracts/core'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { Type } from 'typebox'
import { expect } from 'vitest'
import { BODY_TIMES } from '../../src/http/bodies.ts'
import { on, uploadOf } from '../../src/http/index.ts'
import { startHttp } from './harness.ts'

const postFile = endpoint({
  method: 'POST',
  path: '/files',
  name: 'postFile',
  summary: 'Takes a file',
  tag: 'Test',
  upload: { mediaType: 'application/zip', description: 'A file.' },
  responses: { 200: Type.Object({ size: Type.Integer() }) },
})

async function startWithBodies(bodyTimes: Partial<typeof BODY_TIMES>) {
  const http = startHttp({ bodyTimes, deadlineMs: 60_000 })
  http.app.route({
    ...on(postFile, { bodyLimit: 100_000 }),
    async handler(request) {
      if (request.headers['x-refuse'] !== undefined) throw new Problem('not_permitted')
      let size = 0
      for await (const chunk of uploadOf(request)) size += chunk.byteLength
      return { size }
    },
  })
  http.app.post('/things', async () => 'taken')
  const port = Number(new URL(await http.listen()).port)
  const sockets: Socket[] = []
  /** The head of a request whose body is for the test to send. */
  const begin = (path: string, type: string, headers = '') => {
    const socket = connect(port, '127.0.0.1')
    const heard = { text: '', isClosed: false }
    socket.on('data', (chunk) => (heard.text += chunk.toString()))
    socket.on('error', () => undefined)
    socket.on('close', () => (heard.isClosed = true))
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\ncontent-length: 20\r\n${headers}\r\n`,
    )
    sockets.push(socket)
    return { socket, heard }
  }
  return {
    begin,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await http.drain(500)
    },
  }
}

const JSON_TYPE = 'application/json'
const ZIP = 'application/zip'

async function trickle(socket: Socket, pieces: number, everyMs: number): Promise<void> {
  for (let index = 0; index < pieces && !socket.destroyed; index += 1) {
    socket.write(' ')
    await sleep(everyMs)
  }
}

deepTest(
  '[K-230] a body that is not whole in time is refused and its connection ended, at any address',
  async () => {
    await using http = await startWithBodies({ arrivalMs: 600, lingerMs: 100 })
    const tell = async (path: string) => {
      const { socket, heard } = http.begin(path, JSON_TYPE)
      await trickle(socket, 15, 60)
      await waitUntil(`the connection to ${path} has ended`, () => heard.isClosed)
      expect([path, heard.text.split('\r\n')[0]]).toEqual([path, 'HTTP/1.1 408 request_timeout'])
    }
    await Promise.all(['/things', '/nowhere'].map(tell))
  },
)

deepTest('[K-230] an upload and a body in time are not touched', async () => {
  await using http = await startWithBodies({ arrivalMs: 600, lingerMs: 100 })
  const upload = http.begin('/files', ZIP)
  const thing = http.begin('/things', JSON_TYPE)
  thing.socket.write('"0123456789abcdefgh"')
  await trickle(upload.socket, 20, 40)
  await waitUntil('the upload is answered', () => upload.heard.text.includes('{"size":20}'))
  expect(thing.heard.text).toContain('taken')
  expect([upload.heard.isClosed, thing.heard.isClosed]).toEqual([false, false])
})

test('[K-231] an upload of which nothing comes any more is given up', async () => {
  await using http = await startWithBodies({ idleMs: 1_500 })
  const silent = http.begin('/files', ZIP)
  const slow = http.begin('/files', ZIP)
  silent.socket.write('PK')
  await trickle(slow.socket, 20, 90)
  await waitUntil('the silent one is answered', () => silent.heard.text.includes('request_timeout'))
  expect(silent.heard.text).toMatch(/^HTTP\/1.1 408 /)
  await waitUntil('the slow one is answered', () => slow.heard.text.includes('{"size":20}'))
})

test('[K-232] after an answer to an unread body its connection ends', async () => {
  await using http = await startWithBodies({ lingerMs: 300 })
  const silent = http.begin('/files', ZIP, 'x-refuse: 1\r\n')
  const finishing = http.begin('/files', ZIP, 'x-refuse: 1\r\n')
  await waitUntil('both are answered', () =>
    [silent, finishing].every(({ heard }) => heard.text.includes('not_permitted')),
  )
  finishing.socket.write('01234567890123456789')
  await waitUntil('the silent one is closed', () => silent.heard.isClosed)
  expect(finishing.heard.isClosed).toBe(false)
})

test('[K-230] bodies have a minute, uploads 30 s between pieces', () => {
  expect(BODY_TIMES).toMatchObject({ arrivalMs: 60_000, idleMs: 30_000 })
})
