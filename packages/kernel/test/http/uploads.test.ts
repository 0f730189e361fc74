import { connect } from 'node:net'
import { endpoint, Problem } from '@patchbay/contracts/core'
import { waitUntil } from '@patchbay/testkit/processes'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { on, uploadOf } from '../../src/http/index.ts'
import { startHttp } from './harness.ts'

const LIMIT = 100_000
const postFile = endpoint({
  method: 'POST',
  path: '/files',
  name: 'postFile',
  summary: 'Takes a file',
  tag: 'Test',
  upload: { mediaType: 'application/zip', description: 'A file.' },
  responses: { 200: Type.Object({ size: Type.Integer() }) },
})
const postThing = endpoint({
  method: 'POST',
  path: '/things',
  name: 'postThing',
  summary: 'Takes a thing',
  tag: 'Test',
  body: Type.Object({}),
  responses: { 204: null },
})

async function startWithUploads() {
  const http = startHttp()
  const problems: unknown[] = []
  http.app.route({
    ...on(postFile, { bodyLimit: LIMIT }),
    async handler(request) {
      if (request.headers['x-refuse'] !== undefined) throw new Problem('not_permitted')
      let size = 0
      try {
        for await (const chunk of uploadOf(request)) size += chunk.byteLength
      } catch (error) {
        problems.push(error)
        throw error
      }
      return { size }
    },
  })
  http.app.route({ ...on(postThing), handler: async (_request, reply) => await reply.code(204).send() })
  const url = await http.listen()
  const send = async (path: string, body: BodyInit | undefined, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', headers, duplex: 'half', ...(body === undefined ? {} : { body }) }
    const answer = await fetch(url + path, init)
    return { status: answer.status, body: (await answer.json()) as { code?: string; size?: number } }
  }
  return { url, send, problems, lines: http.lines, [Symbol.asyncDispose]: () => http.drain(500) }
}

const zip = { 'content-type': 'application/zip' }
/** Without a declared length. */
const streamOf = (bytes: number) => new Blob([new Uint8Array(bytes)]).stream()

test('[K-226] a handler reads an upload as it arrives, and may refuse before it is there', async () => {
  await using http = await startWithUploads()
  expect(await http.send('/files', new Uint8Array(5_000), zip)).toEqual({
    status: 200,
    body: { size: 5_000 },
  })
  expect(await http.send('/files', streamOf(70_000), zip)).toEqual({ status: 200, body: { size: 70_000 } })
  const socket = connect(Number(new URL(http.url).port), '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk.toString()
  })
  socket.write(
    'POST /files HTTP/1.1\r\nhost: localhost\r\nx-refuse: 1\r\ncontent-type: application/zip\r\ncontent-length: 9000\r\n\r\nPK',
  )
  await waitUntil('the refusal is heard although the body is not there', () =>
    heard.includes('not_permitted'),
  )
  socket.destroy()
  expect(heard).toMatch(/^HTTP\/1.1 403 /)
})

test('[K-227] another media type is refused on both sides, and an unknown address stays unknown', async () => {
  await using http = await startWithUploads()
  const codes = async (path: string, type: string, body: BodyInit = '{}') => {
    const { status, body: problem } = await http.send(path, body, { 'content-type': type })
    return [status, problem.code]
  }
  for (const type of ['application/json', 'text/plain', 'application/octet-stream', 'application/zipp'])
    expect([type, ...(await codes('/files', type))]).toEqual([type, 415, 'unsupported_media_type'])
  expect(await codes('/files', 'Application/Zip; x=y', 'PK')).toEqual([200, undefined])
  expect(await codes('/things', 'application/zip')).toEqual([415, 'unsupported_media_type'])
  expect(await codes('/nowhere', 'application/zip')).toEqual([404, 'not_found'])
})

test('[K-228] the limit holds with and without a declared length', async () => {
  await using http = await startWithUploads()
  for (const make of [(size: number) => new Uint8Array(size), streamOf]) {
    expect((await http.send('/files', make(LIMIT), zip)).body).toEqual({ size: LIMIT })
    expect(await http.send('/files', make(LIMIT + 1), zip)).toMatchObject({
      status: 413,
      body: { code: 'body_too_large' },
    })
  }
})

test('[K-229] an upload that breaks off is a problem to its reader, and nothing is logged as our bug', async () => {
  await using http = await startWithUploads()
  const socket = connect(Number(new URL(http.url).port), '127.0.0.1')
  socket.write(
    'POST /files HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/zip\r\ncontent-length: 9000\r\n\r\nPK',
    () => setTimeout(() => socket.destroy(), 50),
  )
  await waitUntil('the reader hears of it', () => http.problems.length > 0)
  expect(http.problems[0]).toMatchObject({ code: 'malformed_request' })
  expect(http.lines.join('')).not.toContain('unexpected failure')
})

test('[K-226] an upload without bytes is an empty one', async () => {
  await using http = await startWithUploads()
  expect((await http.send('/files', undefined, zip)).body).toEqual({ size: 0 })
})
