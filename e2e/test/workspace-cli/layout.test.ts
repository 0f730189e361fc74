import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { User } from '@patchbay/cli/test/user'
import type { CurrentWorkspace } from '@patchbay/contracts/panels'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, joinInstallation } from './installation.ts'

let site: Installation
let ada: User
beforeAll(async () => {
  site = await joinInstallation()
  ada = await site.shell()
})
afterAll(() => ada[Symbol.asyncDispose]())

const current = (name: string) => ada.json<CurrentWorkspace>('workspace', 'show', name)

test('[CLI-100] a workspace is made, listed, and removed; one that holds something only when that is meant', async () => {
  const name = site.newWorkspace()
  const made = await ada.run('workspace', 'make', name)
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining(`Made ${name}.\n`) })
  expect(made.stdout).toContain(`${site.url}/workspaces/${name}`)
  const again = await ada.run('workspace', 'make', name)
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('is there already') })
  expect((await ada.run('workspace', 'list')).stdout).toMatch(new RegExp(`^${name} +0 tabs +changed 20`, 'm'))
  await ada.run('workspace', 'add', name, 'webview')
  const held = await ada.run('workspace', 'remove', name)
  expect(held).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('add --yes') })
  expect((await ada.run('workspace', 'remove', name, '--yes')).code).toBe(0)
  const gone = await ada.run('workspace', 'show', name)
  expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining(`workspace make ${name}`) })
})

test('[CLI-207] a workspace is made from a template, with its panels and files', async () => {
  const name = site.newWorkspace()
  expect(await ada.run('workspace', 'make', name, '--template', 'robot')).toMatchObject({ code: 0 })
  expect((await current(name)).tabs.map(({ kind }) => kind)).toContain('script-runner')
  const unknown = await ada.run('workspace', 'make', site.newWorkspace(), '--template', 'spaceship')
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('board-bring-up, robot, course') })
})

test('[CLI-208][CLI-209] what was removed is in the trash, is restored, and deleted for good', async () => {
  const name = site.newWorkspace()
  await ada.run('workspace', 'make', name, '--template', 'course')
  const removed = await ada.run('workspace', 'remove', name, '--yes')
  expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining(`workspace restore ${name}`) })
  expect((await ada.run('workspace', 'trash')).stdout).toMatch(new RegExp(`^${name} `, 'm'))
  await ada.run('workspace', 'make', name)
  const taken = await ada.run('workspace', 'restore', name)
  expect(taken.code).toBe(1)
  expect(taken.stderr).toContain('Another workspace has this name')
  const repo = `${name.split('/')[1]}-back`
  expect(await ada.run('workspace', 'restore', name, '--as', repo)).toMatchObject({ code: 0 })
  const restored = `${name}-back`
  expect((await current(restored)).tabs.map(({ kind }) => kind)).toContain('script-runner')
  const missing = await ada.run('workspace', 'purge', restored, '--yes')
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('workspace trash') })
  await ada.run('workspace', 'remove', restored, '--yes')
  expect(await ada.run('workspace', 'purge', restored)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('add --yes'),
  })
  expect(await ada.run('workspace', 'purge', restored, '--yes')).toMatchObject({ code: 0 })
  expect((await ada.run('workspace', 'trash')).stdout).not.toContain(restored)
})

test('[CLI-103] tabs are added where they should be, and the tree shows them with what they show', async () => {
  const name = site.newWorkspace()
  await ada.run('workspace', 'make', name)
  const url = 'https://example.com/docs'
  const docs = await ada.run(
    'workspace',
    'add',
    name,
    'webview',
    '--title',
    'Docs',
    '--icon',
    'book',
    '--url',
    url,
  )
  expect(docs).toMatchObject({ code: 0, stdout: expect.stringContaining(`Added Docs to ${name}.`) })
  await ada.run('workspace', 'add', name, 'sandbox', '--split', 'right')
  await ada.run(
    'workspace',
    'add',
    name,
    'code-editor',
    '--panel',
    'Docs',
    '--background',
    '--state',
    '{"fileName":"a.py"}',
  )
  const { tabs, layout } = await current(name)
  expect(tabs.map(({ displayName, kind, isActive, state }) => [displayName, kind, isActive, state])).toEqual([
    ['Docs', 'webview', true, { url }],
    ['Code editor', 'code-editor', false, { fileName: 'a.py' }],
    ['Sandbox', 'sandbox', true, {}],
  ])
  expect(layout.root).toMatchObject({ type: 'split', direction: 'row', sizes: [0.5, 0.5] })
  const { stdout } = await ada.run('workspace', 'show', name)
  expect(stdout).toMatch(/▸ Docs \(webview\) {2}https:\/\/example\.com\/docs\n/)
  for (const { tabId, panelId } of tabs) {
    expect(stdout).toContain(`tab ${tabId}`)
    expect(stdout).toContain(`panel ${panelId}`)
  }
  const slip = await ada.run('workspace', 'add', name, 'webvew')
  expect(slip).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean webview?') })
  await ada.run('workspace', 'add', name, 'viewer-3d')
  const second = await ada.run('workspace', 'add', name, 'viewer-3d')
  expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('can hold it once') })
})

test('[CLI-104] tabs are brought to the front, renamed, moved and closed, and splits resized', async () => {
  const name = site.newWorkspace()
  await ada.run('workspace', 'make', name)
  for (const title of ['One', 'Two']) await ada.run('workspace', 'add', name, 'webview', '--title', title)
  expect((await ada.run('workspace', 'activate', name, 'One')).stdout).toBe('One is in front now.\n')
  expect((await current(name)).tabs.find(({ isActive }) => isActive)?.displayName).toBe('One')
  expect((await ada.run('workspace', 'rename', name, 'two', 'Zwei')).stdout).toBe('Two is called Zwei now.\n')
  expect((await ada.run('workspace', 'move', name, 'Zwei', '--index', '0')).code).toBe(0)
  expect((await current(name)).tabs.map(({ displayName }) => displayName)).toEqual(['Zwei', 'One'])
  expect((await ada.run('workspace', 'move', name, 'One', '--split', 'left')).code).toBe(0)
  const split = (await current(name)).layout.root
  expect(split).toMatchObject({ type: 'split', direction: 'row' })
  const resized = await ada.run('workspace', 'resize', name, split.id.slice(0, 8), '3', '1')
  expect(resized.stdout).toBe('The parts have 75 %, 25 % now.\n')
  expect((await current(name)).layout.root).toMatchObject({ sizes: [0.75, 0.25] })
  expect((await ada.run('workspace', 'move', name, 'One', '--to', 'Zwei')).code).toBe(0)
  expect((await current(name)).layout.root).toMatchObject({ type: 'leaf' })
  expect((await ada.run('workspace', 'close', name, 'Zwei')).stdout).toMatch(/^Closed Zwei\.\n/)
  expect((await current(name)).tabs.map(({ displayName }) => displayName)).toEqual(['One'])
})

test('[CLI-132] L1: closed tabs are listed and reopened, the last one unless another is named', async () => {
  const name = site.newWorkspace()
  await ada.run('workspace', 'make', name)
  const none = await ada.run('workspace', 'reopen', name)
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('was closed in the last 30 days') })
  for (const title of ['One', 'Two', 'Three']) {
    await ada.run('workspace', 'add', name, 'webview', '--title', title, '--url', 'https://example.com')
    await ada.run('workspace', 'close', name, title)
  }
  const listed = (await ada.run('workspace', 'closed', name)).stdout
  expect(listed.match(/^\w+/gm)).toEqual(['Three', 'Two', 'One'])
  expect((await ada.run('workspace', 'reopen', name)).stdout).toBe('Reopened Three.\n')
  expect((await ada.run('workspace', 'reopen', name, 'One')).stdout).toBe('Reopened One.\n')
  const { tabs } = await current(name)
  expect(tabs.map(({ displayName, state }) => [displayName, state['url']])).toEqual([
    ['One', 'https://example.com'],
    ['Three', 'https://example.com'],
  ])
  const missing = await ada.run('workspace', 'reopen', name, 'Four')
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('There are:') })
})

test('[CLI-105] a layout is exported and imported; no file is overwritten, and faults are told with their place', async () => {
  const name = site.newWorkspace()
  await ada.run('workspace', 'make', name)
  await ada.run('workspace', 'add', name, 'webview', '--title', 'Docs', '--url', 'https://example.com')
  const file = join(ada.home, `${name.split('/')[1]}.json`)
  expect((await ada.run('workspace', 'export', name, file)).code).toBe(0)
  const exported = await readFile(file, 'utf8')
  expect((await ada.run('workspace', 'export', name)).stdout).toBe(exported)
  const taken = await ada.run('workspace', 'export', name, file)
  expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining('is there already') })
  await ada.run('workspace', 'add', name, 'sandbox')
  expect((await ada.run('workspace', 'import', name, file)).code).toBe(0)
  const after = await current(name)
  expect(after.tabs.map(({ displayName, state }) => [displayName, state])).toEqual([
    ['Docs', { url: 'https://example.com' }],
  ])
  await writeFile(file, exported.replaceAll(after.tabs[0]?.tabId ?? '', 'NO-ID'))
  const wrong = await ada.run('workspace', 'import', name, file)
  expect(wrong).toMatchObject({ code: 1, stdout: '' })
  expect(wrong.stderr).toMatch(
    /\.json: .*\(\/layout\/root\/tabs\/0\/id\)\n[\s\S]*The layout was not replaced\.\n$/,
  )
})

test('[CLI-106] the catalog is listed by category, with what can be there once', async () => {
  const { code, stdout } = await ada.run('workspace', 'panels')
  expect(code).toBe(0)
  expect(stdout.split('\n').filter((line) => /^\w/.test(line))).toEqual([
    'Development',
    'Control',
    'Visualization',
    'Media',
    'Utility',
  ])
  expect(stdout).toMatch(/^ {2}webview +Web view +\S.*[^)]$/m)
  expect(stdout).toMatch(/^ {2}viewer-3d .*\(once in a workspace\)$/m)
})

test('[CLI-114] with --json every command on a layout prints one document', async () => {
  const name = site.newWorkspace()
  const { tabId } = await ada
    .json<{ tabId: string }>('workspace', 'make', name)
    .then(() => ada.json<{ tabId: string }>('workspace', 'add', name, 'webview'))
  await ada.run('workspace', 'add', name, 'sandbox', '--split', 'down')
  const { layout } = await current(name)
  const version = { tabId, version: expect.any(Number) }
  expect(await ada.json('workspace', 'activate', name, tabId)).toEqual(version)
  expect(await ada.json('workspace', 'rename', name, tabId, 'Docs')).toEqual(version)
  expect(await ada.json('workspace', 'move', name, tabId, '--index', '0')).toEqual(version)
  expect(await ada.json('workspace', 'resize', name, layout.root.id, '1', '2')).toMatchObject({
    splitId: layout.root.id,
  })
  expect(await ada.json('workspace', 'export', name)).toMatchObject({
    version: expect.any(Number),
    layout: {},
  })
  expect(await ada.json('workspace', 'close', name, tabId)).toEqual({ tabId })
  expect(await ada.json('workspace', 'close', name, tabId)).toMatchObject({
    error: { code: 'tab_not_found' },
  })
  expect(await ada.json('workspace', 'list')).toMatchObject({
    owner: site.owner,
    workspaces: expect.any(Array),
  })
  expect(await ada.json('workspace', 'panels')).toMatchObject({ panels: expect.any(Array) })
  expect(await ada.json('workspace', 'remove', name)).toMatchObject({ error: { code: 'not_empty', tabs: 1 } })
})
