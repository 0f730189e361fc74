import { readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import type { Paste } from '@patchbay/contracts/viewer'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { png } from './pictures.ts'
import { PASTES, startTestViewer, type TestViewer } from './start.ts'

interface Page {
  readonly items: readonly Paste[]
  readonly next_cursor: string | null
}

describe('the files of pastes', () => {
  let viewer: TestViewer
  beforeAll(async () => {
    viewer = await startTestViewer()
  })
  afterAll(() => viewer[Symbol.asyncDispose]())

  deepTest(
    '[E-138] the files of a paste are served as what they are, and not again while they are the same',
    async () => {
      const paste = await viewer.paste(png(40, 30))
      for (const { url, absolute_path: path } of [paste.optimized, paste.original]) {
        const answer = await viewer.ask(url)
        expect(answer.status).toBe(200)
        expect(answer.headers.get('content-type')).toBe('image/png')
        expect(answer.headers.get('cache-control')).toBe('private, no-cache')
        expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
        expect(answer.headers.get('content-security-policy')).toBe(
          "default-src 'none'; frame-ancestors 'none'",
        )
        expect(Buffer.from(await answer.arrayBuffer())).toEqual(await readFile(path))
        const again = await viewer.ask(url, {
          headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
        })
        expect([again.status, await again.text()]).toEqual([304, ''])
      }
    },
  )

  test('[E-178] C13: a file is served under the name that it had before, until another has that name', async () => {
    const paste = await viewer.paste(png(40, 30))
    const call = async (id: string, name: string) =>
      await viewer.json<Paste>(`/api/pastes/${id}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      })
    const bytesAt = async (url: string) => Buffer.from(await (await viewer.ask(url)).arrayBuffer())
    await call(paste.id, 'night-lamp')
    const renamed = await call(paste.id, 'night-lamp-board')
    for (const which of ['optimized', 'original'] as const) {
      const now = await readFile(renamed[which].absolute_path)
      expect(await bytesAt(paste[which].url)).toEqual(now)
    }
    const other = await viewer.paste(png(40, 30, [200, 20, 20]))
    const taken = await call(other.id, 'night-lamp')
    expect(await bytesAt('/pastes/night-lamp-40x30.png')).toEqual(
      await readFile(taken.optimized.absolute_path),
    )
  })

  test('[E-138] no other file is served, whatever the address says', async () => {
    const paste = await viewer.paste(png(40, 30))
    await writeFile(join(viewer.project, PASTES, 'stranger.png'), 'not ours')
    await writeFile(join(viewer.project, 'secret.png'), 'not ours')
    const { port, hostname } = new URL(viewer.url)
    const statusOf = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        // As it is: other clients would tidy the address.
        request({ port, hostname, path }, (answer) => resolve(answer.resume().statusCode))
          .once('error', reject)
          .end()
      })
    const attempts = [
      '/pastes/stranger.png',
      '/pastes/../secret.png',
      '/pastes/../../secret.png',
      '/pastes/..%2f..%2fsecret.png',
      '/pastes/%2e%2e%2f%2e%2e%2fsecret.png',
      '/pastes/..%5c..%5csecret.png',
      `/pastes/.viewer%2frecords%2f${paste.id}.json`,
      '/pastes/.viewer/.gitignore',
      '/pastes/%00.png',
      `/pastes/${paste.optimized.file}%00`,
      `/pastes//${paste.optimized.file}`,
      `/pastes/${paste.optimized.file.toUpperCase()}`,
      `/pastes/${'a'.repeat(500)}.png`,
      '/pastes/',
      '/screenshots/sp/stranger.png',
    ]
    for (const path of attempts)
      expect([path, [400, 404].includes((await statusOf(path)) ?? 0)]).toEqual([path, true])
    expect(await statusOf(paste.optimized.url)).toBe(200)
  })

  test('[E-138] a link in the place of a picture is not followed', async () => {
    const paste = await viewer.paste(png(40, 30))
    await writeFile(join(viewer.project, 'secret.txt'), 'not ours')
    const { absolute_path: path, url } = paste.optimized
    await rename(path, join(viewer.project, 'moved.png'))
    await symlink(join(viewer.project, 'secret.txt'), path)
    const answer = await viewer.ask(url)
    expect([answer.status, (await answer.text()).includes('not ours')]).toEqual([404, false])
  })
})

deepTest('[E-136] the list is newest first, in pages that a deletion does not disturb', async () => {
  await using viewer = await startTestViewer()
  const grant = await viewer.grant()
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) ids.unshift((await viewer.paste(png(5, 5), { grant })).id)
  const first = await viewer.json<Page>('/api/pastes?limit=2')
  expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  await viewer.ask(`/api/pastes/${ids[1]}`, { method: 'DELETE' })
  const second = await viewer.json<Page>(`/api/pastes?limit=2&cursor=${first.next_cursor}`)
  expect(second.items.map(({ id }) => id)).toEqual(ids.slice(2, 4))
  const third = await viewer.json<Page>(`/api/pastes?limit=2&cursor=${second.next_cursor}`)
  expect([third.items.map(({ id }) => id), third.next_cursor]).toEqual([ids.slice(4), null])
  expect(await viewer.json('/api/pastes?cursor=x')).toMatchObject({ code: 'invalid_request' })
})
