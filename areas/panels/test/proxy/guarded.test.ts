import type { Lookup } from '@patchbay/kernel/outbound'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { PRIVATE_HOSTS } from './private-hosts.ts'
import { openLoopback, recordDials, startSite } from './sites.ts'
import { startProxy } from './start-proxy.ts'

const nothing: Lookup = async () => []

test('[D-207] private addresses are refused in every spelling, and never dialled', async () => {
  await using node = await startProxy({ way: recordDials(nothing) })
  const statuses = new Map<string, number>()
  for (const host of PRIVATE_HOSTS)
    for (const scheme of ['http', 'https'])
      statuses.set(`${scheme}://${host}/`, (await node.show(`${scheme}://${host}/latest/meta-data`)).status)
  expect([...statuses].filter(([, status]) => status !== 403 && status !== 400)).toEqual([])
  expect(node.dialled).toEqual([])
})

test('[D-207] so are names that lead to them, alone or among public ones', async () => {
  const addresses: Record<string, string[]> = {
    'metadata.example': ['169.254.169.254'],
    'inside.example': ['10.0.0.1'],
    'mixed.example': ['93.184.215.14', '127.0.0.1'],
    'mapped.example': ['::ffff:192.168.0.1'],
    'unique-local.example': ['fd00::1'],
    'unknown.example': [],
  }
  await using node = await startProxy({ way: recordDials(async (name) => addresses[name] ?? []) })
  const pages = await Promise.all(
    Object.keys(addresses).map(async (name) => {
      const answer = await node.show(`http://${name}/`)
      return { status: answer.status, text: (await answer.text()).replaceAll(name, '…') }
    }),
  )
  expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 403))
  // What is told of a name that leads inside is what is told of one that does not exist.
  expect(new Set(pages.map(({ text }) => text)).size).toBe(1)
  expect(node.dialled).toEqual([])
})

test('[D-207] a name that changes between two answers is judged by what is dialled', async () => {
  let asked = 0
  const rebinding: Lookup = async () => {
    asked += 1
    return asked % 2 === 1 ? ['93.184.215.14'] : ['127.0.0.1']
  }
  await using node = await startProxy({ way: recordDials(rebinding) })
  const statuses = [
    (await node.show('http://rebind.example/')).status,
    (await node.show('http://rebind.example/')).status,
  ]
  expect(statuses).toEqual([502, 403])
  expect(node.dialled).toEqual(['93.184.215.14'])
})

deepTest.for([
  'http://127.0.0.2/',
  'http://10.0.0.1/',
  'http://[::1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://inside.example/',
  'file:///etc/passwd',
  'http://ada:secret@site.localhost/',
])('[D-207] a redirect to %s is refused, and only the site was dialled', async (location) => {
  await using site = await startSite((_request, response) => response.writeHead(302, { location }).end())
  const way = openLoopback(async (name) => (name === 'site.localhost' ? ['127.0.0.1'] : ['10.0.0.1']))
  await using node = await startProxy({ way })
  const answer = await node.show(site.at('site'))
  expect([400, 403]).toContain(answer.status)
  expect(await answer.text()).not.toMatch(/127\.0\.0\.1|10\.0\.0\.1/)
  expect(node.dialled).toEqual(['127.0.0.1'])
})

test('[D-207] models take the same way', async () => {
  await using node = await startProxy({ way: recordDials(nothing) })
  const answers = await Promise.all(
    PRIVATE_HOSTS.slice(0, 20).map((host) => node.as('ada').ask(modelPath(`http://${host}/model.glb`))),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
  expect(node.dialled).toEqual([])
})

function modelPath(url: string): string {
  return `/api/workspaces/editor/ada/board/models?url=${encodeURIComponent(url)}`
}
