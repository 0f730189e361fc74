import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect, test } from 'vitest'
import { createCaller } from '../caller.ts'
import { startPanelsNode, takePanels } from '../start.ts'
import { addTab, editor, makeWorkspaceOf, readCurrent, verdict } from './current.ts'

test('[D-50] a workspace is made once, and begins empty', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const made = await ada.send('PUT', editor('ada'))
  expect(made.status).toBe(201)
  const summary = await made.json()
  expect(summary).toMatchObject({ owner: 'ada', repo: 'board', version: 0, tabs: 0 })
  await addTab(ada, editor('ada'))
  const again = await ada.send('PUT', editor('ada'))
  expect([again.status, await again.json()]).toMatchObject([200, { version: 1, tabs: 1 }])
  expect((await ada.send('PUT', editor('ada', 'Board'))).status).toBe(201)
  expect((await readCurrent(ada, editor('ada', 'Board'))).tabs).toEqual([])
})

test('[D-50] names that are no names of repositories', async () => {
  await using node = await takePanels()
  const { headers } = node.as('ada')
  // `fetch` would take two dots for a way up before it sends anything.
  const put = async (path: string) => {
    const asked = request(node.url + editor('ada', 'x'), { method: 'PUT', headers, path }).end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }
  for (const repo of ['%2e%2e', '..', '%2e', 'a%2fb', 'b%20c', '%C3%A4', 'x'.repeat(101)])
    expect([repo, await put(editor('ada', repo))]).toEqual([repo, expect.toBeOneOf([400, 404])])
  expect(await put(editor('ada', 'x'.repeat(100)))).toBe(201)
  expect(await put(editor('ada', '...'))).toBe(201)
  expect(await node.db.selectFrom('workspaces').select('repo').execute()).toHaveLength(2)
})

test('[D-51] of five workspaces made at once where one more may be, one is', async () => {
  await using node = await takePanels()
  await using other = await startPanelsNode({ ...node, node: 'test-2' })
  await makeWorkspaceOf(node.as('ada'), 'ada', 'first')
  const { layout } = await readCurrent(node.as('ada'), editor('ada', 'first'))
  const now = new Date()
  await node.db
    .insertInto('workspaces')
    .values(
      Array.from({ length: 998 }, (_, at) => ({
        owner: 'ada',
        repo: `w${at}`,
        version: 0,
        layout: JSON.stringify(layout),
        tab_count: 0,
        created_at: now,
        changed_at: now,
      })),
    )
    .execute()
  const answers = await Promise.all(
    [0, 1, 2, 3, 4].map((at) =>
      verdict(createCaller(at % 2 ? node.url : other.url, 'ada').send('PUT', editor('ada', `new${at}`))),
    ),
  )
  expect(answers.toSorted()).toEqual(['201', ...Array.from({ length: 4 }, () => '409 limit_reached')])
  expect(await verdict(node.as('ada').send('PUT', editor('ada', 'w3')))).toBe('200')
  expect(await verdict(node.as('bob').send('PUT', editor('bob')))).toBe('201')
})

test('[D-52] the list has the last changed first, in pages, for those who may read all of it', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const repos = ['a', 'b', 'c', 'd', 'e']
  for (const repo of repos) await makeWorkspaceOf(ada, 'ada', repo)
  await makeWorkspaceOf(node.as('bob'), 'bob')
  await addTab(ada, editor('ada', 'b'))
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null && seen.length < 20) {
    const query = cursor === '' ? '' : `&cursor=${cursor}`
    const answer = await ada.ask(`/api/workspaces/editor/ada?limit=2${query}`)
    const page = (await answer.json()) as { items: { repo: string }[]; nextCursor: string | null }
    seen.push(...page.items.map(({ repo }) => repo))
    cursor = page.nextCursor
  }
  expect(seen[0]).toBe('b')
  expect(seen.toSorted()).toEqual(repos)
  node.access.grant('carl', 'ada', 'read')
  const list = '/api/workspaces/editor/ada'
  expect(await verdict(node.as('carl').ask(list))).toBe('200')
  expect(await verdict(node.as('bob').ask(list))).toBe('403 not_permitted')
  expect(await verdict(node.ask(list))).toBe('401 sign_in_required')
  const one = node.as('ada', { label: 'one', scopes: ['workspace:ada/b'] })
  expect(await verdict(one.ask(list))).toBe('403 not_permitted')
  expect(await verdict(ada.ask(`${list}?cursor=bm9uZQ`))).toBe('400 invalid_request')
})

test('[D-53] a removed workspace is gone with all of it, and begins anew', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const { tabId } = await addTab(ada, at, { initialState: { url: 'https://example.com/' } })
  expect(await verdict(ada.send('DELETE', at))).toBe('204')
  const calls: ['POST' | 'PUT' | 'PATCH' | 'DELETE', string, object?][] = [
    ['DELETE', at],
    ['POST', `${at}/current/tabs`, { panelType: 'webview' }],
    ['PATCH', `${at}/current/tabs/${tabId}`, { isActive: true }],
    ['DELETE', `${at}/current/tabs/${tabId}`],
  ]
  for (const call of calls) expect(await verdict(ada.send(...call))).toBe('404 workspace_not_found')
  expect(await verdict(ada.ask(`${at}/current`))).toBe('404 workspace_not_found')
  await makeWorkspaceOf(ada, 'ada')
  expect(await readCurrent(ada, at)).toMatchObject({ version: 0, tabs: [] })
})
