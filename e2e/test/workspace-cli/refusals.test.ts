import { createUser } from '@patchbay/cli/test/user'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { beforeAll, expect } from 'vitest'
import { pageHeaders } from '../installation/accounts.ts'
import { type Installation, joinInstallation, startInstallation } from './installation.ts'

let site: Installation
beforeAll(async () => {
  site = await joinInstallation()
})

async function furnish(): Promise<string> {
  const name = site.newWorkspace()
  await using ada = await site.shell()
  await ada.run('workspace', 'make', name)
  await ada.run('workspace', 'add', name, 'webview', '--title', 'Docs')
  await ada.run('workspace', 'add', name, 'sandbox', '--split', 'right')
  return name
}

test('[CLI-112] a key without the scope is told which one it needs; what it has a scope for, it may', async () => {
  const name = await furnish()
  const attempts = [
    ['workspace', ['workspace', 'activate', name, 'Docs']],
    ['webview', ['panel', 'refresh', name, 'Docs']],
    ['sandbox', ['panel', 'eval', name, 'sandbox', '1']],
    ['screenshot', ['screenshot', name]],
  ] as const
  for (const [at, [own, allowed]] of attempts.entries()) {
    await using shell = await site.shell(`${own}:${name}`)
    const [other = '', refused = []] = attempts[(at + 1) % attempts.length] ?? []
    expect([0, 75]).toContain((await shell.run(...allowed)).code)
    expect(await shell.run(...refused)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`An API key needs the scope ${other}:${name} (or panels:${name})`),
    })
  }
})

test('[CLI-112] a key of one workspace opens no other, and nobody learns whether it is there', async () => {
  const [own, other] = [await furnish(), await furnish()]
  await using shell = await site.shell(`panels:${own}`)
  expect((await shell.run('workspace', 'show', own)).code).toBe(0)
  const there = await shell.run('workspace', 'show', other)
  const nowhere = await shell.run('workspace', 'show', `${site.owner}/none`)
  expect([there.code, nowhere.code]).toEqual([1, 1])
  expect(there.stderr.replaceAll(other, `${site.owner}/none`)).toBe(nowhere.stderr)
})

test('[CLI-112] a key that is none is told, with where to look', async () => {
  const environment = { PATCHBAY_SERVER_URL: site.url, PATCHBAY_API_KEY: 'pbk_nonsense' }
  await using shell = await createUser(environment)
  const { code, stderr } = await shell.run('workspace', 'show', `${site.owner}/board`)
  expect(code).toBe(1)
  expect(stderr).toContain('check PATCHBAY_API_KEY')
  expect(stderr).not.toContain('nonsense')
})

deepTest('[CLI-112] who asks too often is told to wait', async () => {
  await using busy = await startInstallation({ PATCHBAY_PANEL_ACTIONS_PER_MINUTE: '1' })
  await using shell = await busy.shell()
  const name = busy.newWorkspace()
  expect((await shell.run('workspace', 'make', name)).code).toBe(0)
  const last = await shell.run('workspace', 'show', name)
  expect(last).toMatchObject({ code: 75, stdout: '', stderr: expect.stringContaining('too often') })
})

test('[CLI-113] a person who has ended the access of a key is obeyed, at once and until they give it back', async () => {
  const name = await furnish()
  await using shell = await site.shell(`panels:${name}`)
  expect((await shell.run('panel', 'refresh', name, 'Docs')).code).toBe(0)
  const headers = pageHeaders(site.session, site.url)
  const access = `${site.url}/api/workspaces/editor/${name}/access`
  const { items } = (await (await fetch(access, { headers })).json()) as { items: { credentialId: string }[] }
  const setEnded = (isEnded: boolean) =>
    Promise.all(
      items.map(({ credentialId }) =>
        fetch(`${access}/${credentialId}`, { method: 'PUT', headers, body: JSON.stringify({ isEnded }) }),
      ),
    )
  expect((await setEnded(true)).map(({ status }) => status)).toContain(204)
  const ended = await shell.run('panel', 'refresh', name, 'Docs')
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('They can give it back') })
  await setEnded(false)
  expect((await shell.run('panel', 'refresh', name, 'Docs')).code).toBe(0)
})
