import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startNginx } from '@patchbay/testkit/nginx'
import { expect, test } from 'vitest'
import { archiveOf } from '../archive.ts'
import { sha256Of } from '../feeds/reading.ts'
import { type RegistryNode, startRegistry } from '../start.ts'
import { askRaw } from './raw-request.ts'

const EXAMPLE = new URL('../../../../deploy/nginx/patchbay.conf', import.meta.url)
const ARCHIVE = Buffer.from(archiveOf())
const SECRET = Buffer.from(archiveOf({ identifier: 'com.example.secret' }))
const pathOf = (archive: Buffer, identifier: string) =>
  `/registry/archives/${sha256Of(archive)}/${identifier}-1.0.0.zip`
const OPEN = pathOf(ARCHIVE, 'com.example.blinky')
const OWN = pathOf(SECRET, 'com.example.secret')

async function startDelivering(
  archiveDelivery: NonNullable<RegistryNode['deps']['settings']['archiveDelivery']>,
) {
  const node = await startRegistry({ settings: { archiveDelivery } })
  const ada = node.as('ada')
  await ada.publish(ARCHIVE)
  await ada.publish(SECRET, { visibility: 'private' })
  return node
}

test('[A-553] R12: public archives are fetched from the public address of the objects, private ones from here', async () => {
  await using node = await startDelivering({ kind: 'redirect', publicUrl: 'https://cdn.example/objects/' })
  const answer = await node.ask(OPEN)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'no-store'])
  expect(answer.headers.get('location')).toMatch(
    new RegExp(`^https://cdn[.]example/objects/[0-9a-f/]+/${sha256Of(ARCHIVE)}$`),
  )
  expect((await node.ask(OPEN, { headers: { 'if-none-match': `"${sha256Of(ARCHIVE)}"` } })).status).toBe(304)
  expect((await node.ask(OPEN, { method: 'HEAD' })).headers.get('content-length')).toBe(`${ARCHIVE.length}`)
  expect((await node.ask(OWN)).status).toBe(404)
  const own = await node.as('ada').ask(OWN)
  expect(Buffer.from(await own.arrayBuffer())).toEqual(SECRET)
})

test('[A-554][DP-200] R12: with the shipped example nginx sends public archives, in parts as well', async () => {
  await using node = await startDelivering({ kind: 'x-accel', prefix: '/patchbay-objects/' })
  const example = await readFile(EXAMPLE, 'utf8')
  const [location = ''] = /location \/patchbay-objects\/ \{[^}]+\}/.exec(example) ?? []
  await using nginx = await startNginx({
    config: ({ port }) => `server {
      listen 127.0.0.1:${port};
      ${location.replace('/var/lib/patchbay/objects/', `${join(node.folder, 'objects')}/`)}
      location / { proxy_pass ${node.url}; proxy_set_header Host $http_host; }
    }`,
  })
  // The node itself sends no byte of it.
  const bare = await askRaw(node.url + OPEN)
  expect([bare.body.byteLength, bare.headers['x-accel-redirect']]).toEqual([0, expect.any(String)])

  const direct = await askRaw(`${node.url}${OPEN}`, {}, 'HEAD')
  const whole = await askRaw(nginx.url + OPEN)
  expect([whole.status, whole.body.equals(ARCHIVE)]).toEqual([200, true])
  for (const name of [
    'etag',
    'cache-control',
    'content-type',
    'content-disposition',
    'content-length',
    'accept-ranges',
    'x-content-type-options',
    'content-security-policy',
    'access-control-allow-origin',
    'access-control-expose-headers',
  ])
    expect([name, whole.headers[name]]).toEqual([name, direct.headers[name]])
  expect(whole.headers['x-accel-redirect']).toBeUndefined()
  const etag = String(whole.headers['etag'])
  const part = await askRaw(nginx.url + OPEN, { range: 'bytes=3-9', 'if-range': etag })
  expect([part.status, part.body.equals(ARCHIVE.subarray(3, 10))]).toEqual([206, true])
  expect((await askRaw(nginx.url + OPEN, { range: 'bytes=3-9', 'if-range': '"other"' })).status).toBe(200)
  expect((await askRaw(nginx.url + OPEN, { 'if-none-match': etag })).status).toBe(304)

  const inside = `/patchbay-objects/${node.deps.objects.pathOf(sha256Of(SECRET))}`
  expect((await askRaw(nginx.url + inside)).status).toBe(404)
  expect((await askRaw(nginx.url + OWN)).status).toBe(404)
  const own = await askRaw(nginx.url + OWN, { 'x-test-person': 'ada' })
  expect(own.body.equals(SECRET)).toBe(true)
})
