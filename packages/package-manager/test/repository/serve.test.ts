import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRepository } from '../../src/index.ts'
import { serveRepository, verifyLive } from '../../src/repository/index.ts'
import { openWorkshop } from './workshop.ts'

/** Sent as it is written: `fetch` would tidy the path up. */
function ask(url: string, path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; body: string; headers: Record<string, unknown> }>(
    (resolve, reject) => {
      const { port, hostname } = new URL(url)
      request({ host: hostname, port, path, headers, method, agent: false }, (response) => {
        let body = ''
        response.setEncoding('latin1').on('data', (text) => (body += text))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body, headers: response.headers }),
        )
      })
        .on('error', reject)
        .end()
    },
  )
}

test('[A-344] files are served with their type, and with an ETag that answers 304', async () => {
  await using shop = await openWorkshop()
  await shop.addFolder('com.example.a')
  await shop.build()
  const seen: string[] = []
  await using served = await serveRepository(shop.out, {
    port: 0,
    onRequest: ({ path, status }) => void seen.push(`${status} ${path}`),
  })
  expect(new URL(served.url).hostname).toBe('127.0.0.1')
  for (const [path, type] of [
    ['/repository.json', 'application/json'],
    ['/archives/com.example.a-1.0.0.zip', 'application/zip'],
  ] as const) {
    const first = await ask(served.url, path)
    expect(first).toMatchObject({ status: 200, headers: { 'content-type': type } })
    const etag = String(first.headers['etag'])
    expect(await ask(served.url, path, { 'if-none-match': `"x", W/${etag}` })).toMatchObject({
      status: 304,
      body: '',
    })
    const head = await ask(served.url, path, {}, 'HEAD')
    expect(head).toMatchObject({
      status: 200,
      body: '',
      headers: { 'content-length': String(first.body.length) },
    })
  }
  expect(await ask(served.url, '/packages.json', {}, 'POST')).toMatchObject({ status: 405 })
  expect(seen).toContain('304 /repository.json')
})

test.each([
  '/../secret.json',
  '/%2e%2e/secret.json',
  '/archives/..%2f..%2fsecret.json',
  '/..%5csecret.json',
  '/.build-x/left.zip',
  '/archives',
  '/',
  '//secret.json',
  '/%00',
  '/%zz',
])('[A-344] %s leads nowhere', async (path) => {
  await using shop = await openWorkshop()
  await mkdir(join(shop.out, '.build-x'), { recursive: true })
  await mkdir(join(shop.out, 'archives'))
  await writeFile(join(shop.root, 'secret.json'), 'secret')
  await writeFile(join(shop.out, '.build-x/left.zip'), 'secret')
  await symlink(shop.out, join(shop.root, 'link'))
  await using served = await serveRepository(join(shop.root, 'link'), { port: 0 })
  const answer = await ask(served.url, path)
  expect(answer.status).toBe(404)
  expect(answer.body).not.toContain('secret')
})

test('[A-344] a name of somebody else that leads to this machine is not answered', async () => {
  await using shop = await openWorkshop()
  await shop.build()
  await using served = await serveRepository(shop.out, { port: 0 })
  expect(await ask(served.url, '/repository.json', { host: 'evil.example' })).toMatchObject({
    status: 421,
    body: '',
  })
  expect(await ask(served.url, '/repository.json', { host: 'localhost:80' })).toMatchObject({ status: 200 })
})

test.each(['localhost', '127.0.0.1', '127.0.0.2'])(
  '[A-344] served at %s, it answers to the names of this machine alone',
  async (host) => {
    await using shop = await openWorkshop()
    await shop.build()
    await using served = await serveRepository(shop.out, { port: 0, host })
    for (const name of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80'])
      expect(await ask(served.url, '/repository.json', { host: name })).toMatchObject({ status: 421 })
    for (const name of ['localhost', '127.0.0.1:80', '[::1]:80'])
      expect(await ask(served.url, '/repository.json', { host: name })).toMatchObject({ status: 200 })
  },
)

test('[A-344] a link is served only when it stays in the folder, and out of what is hidden', async () => {
  await using shop = await openWorkshop()
  await shop.addFolder('com.example.a')
  await shop.build()
  await writeFile(join(shop.root, 'secret.txt'), 'secret')
  await mkdir(join(shop.out, '.hidden'))
  await writeFile(join(shop.out, '.hidden/secret.txt'), 'secret')
  await symlink(join(shop.root, 'secret.txt'), join(shop.out, 'out.txt'))
  await symlink('.hidden/secret.txt', join(shop.out, 'hidden.txt'))
  await symlink(shop.root, join(shop.out, 'up'))
  await symlink('manifests.json', join(shop.out, 'same.json'))
  await using served = await serveRepository(shop.out, { port: 0 })
  for (const path of ['/out.txt', '/hidden.txt', '/up/secret.txt'])
    expect(await ask(served.url, path)).toMatchObject({ status: 404 })
  expect(await ask(served.url, '/same.json')).toMatchObject({ status: 200 })
  await rm(join(shop.out, 'packages.json'))
  await writeFile(join(shop.root, 'packages.json'), '{"packages":["secret"]}')
  await symlink(join(shop.root, 'packages.json'), join(shop.out, 'packages.json'))
  expect(await ask(served.url, '/packages.json')).toMatchObject({ status: 404 })
})

test('[A-345] a repository that was built for another address can be tried out whole, and that is said', async () => {
  await using shop = await openWorkshop()
  await shop.addFolder('com.example.a')
  await shop.build()
  await using served = await serveRepository(shop.out, { port: 0 })
  expect(served.isRebased).toBe(true)
  const client = openRepository({ url: served.url }, { cacheFolder: join(shop.root, 'cache') })
  const [version] = (await client.refresh()).packages[0]?.versions ?? []
  expect(version?.download_url).toBe(new URL('/archives/com.example.a-1.0.0.zip', served.url).href)
  expect((await verifyLive(served.url)).findings).toEqual([])
  await shop.build({ baseUrl: new URL('.', served.url).href, timestamp: 1_700_000_009 })
  const { body } = await ask(served.url, '/repository.json')
  expect(body).toBe(await readFile(join(shop.out, 'repository.json'), 'utf8'))
})
