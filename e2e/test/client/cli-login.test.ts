import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { whoami } from '@patchbay/client'
import { openCredentials } from '@patchbay/client/credentials'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { beforeAll, expect, vi } from 'vitest'
import { createCliUser } from './run-cli.ts'
import { type ClientServer, sharedClientServer } from './start-server.ts'

// Real processes on a busy machine take their time; what must be quick is measured.
vi.setConfig({ testTimeout: 90_000 })

let server: ClientServer
beforeAll(async () => {
  server = await sharedClientServer()
})

const user = (more: Record<string, string> = {}) =>
  createCliUser({ PATCHBAY_SERVER_URL: server.url, ...more })

test('[CLI-10] login shows link and words, opens the browser, waits, and says who one is', async () => {
  await using ada = await user({ PATCHBAY_BROWSER: join(import.meta.dirname, 'browser-for-tests.sh') })
  const running = ada.start('login', '--label', 'my notebook', '--max-age', '3600')
  const link = await running.link()
  const opened = join(ada.home, 'opened')
  await waitUntil(
    'the browser has the link',
    async () => (await readFile(opened, 'utf8').catch(() => '')) !== '',
  )
  expect((await readFile(opened, 'utf8')).trim()).toBe(link)
  await server.ada.approve(link)
  const { code, stdout, stderr } = await running.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(
    /two words\. Approve only if they are the same as these:\n\n {2}>>> {2}[a-z]+[ -][a-z]+ {2}<<<\n/,
  )
  expect(stdout).toContain('Your browser was asked to open it.')
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
    new RegExp(`^Signed in as ada on ${server.url} until \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC\\.$`),
  )
  const stored = await openCredentials(ada.folder).find(server.url)
  expect(stored).toMatchObject({ handle: 'ada' })
  const who = await whoami({ baseUrl: server.url, sessionToken: stored?.sessionToken ?? '' })
  expect(who.label).toBe('my notebook')
  expect((await stat(join(ada.folder, 'credentials.json'))).mode & 0o777).toBe(0o600)
  expect((await stat(ada.folder)).mode & 0o777).toBe(0o700)
  expect(stdout + stderr).not.toContain(stored?.sessionToken)
})

test('[CLI-11] a browser that cannot be opened is said, and does not end the login', async () => {
  await using ada = await user({ PATCHBAY_BROWSER: '/nowhere/at-all' })
  const running = ada.begin('login')
  await server.ada.approve(await running.link())
  const { code, stdout } = await running.ended
  expect(code).toBe(0)
  expect(stdout).toContain('No browser could be opened from here: open the link yourself.')
})

deepTest('[CLI-11] --no-browser opens nothing', async () => {
  await using ada = await user({ PATCHBAY_BROWSER: join(import.meta.dirname, 'browser-for-tests.sh') })
  const running = ada.start('login', '--no-browser')
  await server.ada.approve(await running.link())
  const { code, stdout } = await running.ended
  expect(code).toBe(0)
  expect(stdout).not.toMatch(/browser was asked|could be opened/)
  expect(await readdir(ada.home)).toEqual(['.config'])
})

test('[CLI-12] --print-url prints the link alone on standard output', async () => {
  await using ada = await user({ PATCHBAY_BROWSER: join(import.meta.dirname, 'browser-for-tests.sh') })
  const running = ada.start('login', '--print-url')
  const link = await running.link()
  await server.ada.approve(link)
  const { code, stdout, stderr } = await running.ended
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${link}\n` })
  expect(stderr).toMatch(/two words[\s\S]*Signed in as ada/)
  expect(await readdir(ada.home)).toEqual(['.config'])
})

test('[CLI-13] a pipe gets plain lines', async () => {
  await using ada = await user()
  const running = ada.start('login', '--no-browser')
  const link = await running.link()
  await server.ada.approve(link)
  const { stdout, stderr } = await running.ended
  for (const moving of ['\u001B', '\r', '⠋', '⠙']) expect(stdout + stderr).not.toContain(moving)
})

test('[CLI-14] --begin prints JSON and ends; [CLI-15] --check completes it', async () => {
  await using ada = await user()
  const begun = await ada.run('login', '--begin')
  expect({ code: begun.code, stderr: begun.stderr }).toEqual({ code: 0, stderr: '' })
  const shown = JSON.parse(begun.stdout) as { auth_url: string }
  expect(shown).toEqual({
    auth_url: expect.stringMatching(/^http/),
    confirmation_code: expect.stringMatching(/^[a-z]+[ -][a-z]+$/),
    expires_at: expect.stringMatching(/Z$/),
  })
  expect((await stat(join(ada.folder, 'pending-logins.json'))).mode & 0o777).toBe(0o600)
  const early = await ada.run('login', '--check')
  expect(early).toMatchObject({ code: 75, stdout: '', stderr: expect.stringMatching(/^Not approved yet\./) })
  await server.ada.approve(shown.auth_url)
  const done = await ada.run('login', '--check')
  expect(done).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^Signed in as ada on /) })
  const again = await ada.run('login', '--check')
  expect(again).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^No login waits for /) })
})

deepTest('[CLI-15] --check --wait waits for the approval, and no longer than told', async () => {
  await using ada = await user()
  const begun = await ada.run('login', '--begin')
  const { auth_url } = JSON.parse(begun.stdout) as { auth_url: string }
  const before = performance.now()
  expect((await ada.run('login', '--check', '--wait', '1')).code).toBe(75)
  expect(performance.now() - before).toBeGreaterThan(1_000)
  const waiting = ada.begin('login', '--check', '--wait', '60')
  await server.ada.approve(auth_url)
  expect((await waiting.ended).stdout).toMatch(/^Signed in as ada/)
})

test('[CLI-15] a login that was declined is said once, and is then forgotten', async () => {
  await using ada = await user()
  const begun = await ada.run('login', '--begin')
  await server.ada.decline((JSON.parse(begun.stdout) as { auth_url: string }).auth_url)
  const refused = await ada.run('login', '--check')
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('was declined in the browser'),
  })
  expect((await ada.run('login', '--check')).stderr).toMatch(/^No login waits/)
})

test('[CLI-16] a new login ends the session it takes the place of', async () => {
  await using ada = await user()
  const tokens: string[] = []
  for (let round = 0; round < 2; round += 1) {
    const running = ada.begin('login', '--no-browser')
    await server.ada.approve(await running.link())
    expect((await running.ended).code).toBe(0)
    tokens.push((await openCredentials(ada.folder).find(server.url))?.sessionToken ?? '')
  }
  const [former = '', current = ''] = tokens
  await expect(whoami({ baseUrl: server.url, sessionToken: former })).rejects.toMatchObject({
    code: 'refused',
  })
  expect((await whoami({ baseUrl: server.url, sessionToken: current })).handle).toBe('ada')
})

test.each([
  ['login', '--no-browser'],
  ['login', '--check', '--wait', '60'],
])('[CLI-17] Ctrl-C ends %s %s with 130 and one sentence', async (...args) => {
  await using ada = await user()
  await ada.run('login', '--begin')
  const before = await streams(server)
  const running = ada.start(...args)
  await (args.includes('--check')
    ? waitUntil('it waits', async () => (await streams(server)) > before)
    : running.link())
  running.child.kill('SIGINT')
  expect(await running.ended).toMatchObject({ code: 130, stderr: 'Stopped. Nothing was changed.\n' })
})

/** How many wait at the server. */
async function streams({ url }: ClientServer): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/patchbay_intent_streams\{[^}]*of="streams"[^}]*\} (\d+)/.exec(text)?.[1])
}

test('[CLI-20] a file that others can read is refused before anybody approves anything', async () => {
  await using ada = await user()
  await mkdir(ada.folder, { recursive: true })
  const file = join(ada.folder, 'credentials.json')
  await writeFile(file, '{"version":1,"servers":{}}')
  await chmod(file, 0o644)
  for (const args of [['login', '--no-browser'], ['login', '--begin'], ['whoami'], ['logout']]) {
    const { code, stdout, stderr } = await ada.run(...args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/credentials\.json can be read by other users of this machine\.\n.*chmod 600/)
  }
})
