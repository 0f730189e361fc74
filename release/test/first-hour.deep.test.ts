import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openPage, sharedChromium, type WatchedPage } from '@patchbay/testkit/chromium'
import { freePort } from '@patchbay/testkit/ports'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packAll } from '../src/packages.ts'
import { ROOT } from '../src/workspace.ts'
import { startRegistry } from './loopback-registry.ts'

const run = promisify(execFile)
const PATIENCE = { deadlineMs: 300_000 }
/** The browser's own question is answered with yes; the one without windows has nothing to share. */
const SHARING = { isWhole: true, args: ['--auto-accept-this-tab-capture'] }

let home: string
let dev: RunningProcess
let url: string
let visit: WatchedPage
const cleanup = new AsyncDisposableStack()

/** The commands under a heading of the README, with the address of this run. */
async function commandsOf(heading: string): Promise<string[]> {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
  const [, block = ''] =
    new RegExp(`^## ${heading}$[\\s\\S]*?\`\`\`sh\\n([\\s\\S]*?)\`\`\``, 'm').exec(readme) ?? []
  return block
    .split('\n')
    .map((line) => line.replace(/ +# .*$/, ''))
    .filter((line) => line !== '')
    .map((line) => line.replaceAll('http://localhost:8790', url).replaceAll('/tmp/', `${home}/`))
}

/** How this machine reaches a registry at all. */
const NETWORK = /^(?:NODE_EXTRA_CA_CERTS|(?:https?|no)_proxy|npm_config_.*)$/i
const network = Object.fromEntries(Object.entries(process.env).filter(([name]) => NETWORK.test(name)))

const environment = () => ({
  ...network,
  HOME: home,
  PATH: `${join(home, 'npm/bin')}:${join(home, 'node/bin')}:${process.env['PATH'] ?? ''}`,
  // Nobody's browser is opened; the link is read from what is printed.
  PATCHBAY_BROWSER: 'true',
})

/** PostgreSQL does not run as root, and neither do most people. */
const as = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const sh = (command: string) =>
  run('sh', ['-ec', command], { cwd: home, env: environment(), timeout: PATIENCE.deadlineMs, ...as })

// As on a machine that has Node and nothing of ours: npm gets our packages from a registry on loopback, the others as ever.
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'patchbay-first-hour-'))
  cleanup.defer(() => rm(home, { recursive: true, force: true }))
  const registry = cleanup.use(await startRegistry(await packAll(join(home, 'packed'))))
  // The Node of this run may lie in a folder that only its own user can enter.
  await mkdir(join(home, 'node/bin'), { recursive: true })
  await cp(process.execPath, join(home, 'node/bin/node'))
  const { stdout: usual } = await run('npm', ['config', 'get', 'registry'])
  await writeFile(
    join(home, '.npmrc'),
    `registry=${usual.trim()}\n@patchbay:registry=${registry.url}\nprefix=${home}/npm\n`,
  )
  if (as.uid !== undefined) await run('chown', ['-R', `${as.uid}:${as.gid}`, home])
}, 600_000)

afterAll(() => cleanup.disposeAsync())

test('[CLI-186][DEV-11] the first block of the README brings up everything, from packages alone', async () => {
  url = ''
  const [install = '', start = ''] = await commandsOf('Start in one minute')
  expect([install, start]).toEqual(['npm install --global @patchbay/cli', 'patchbay dev'])
  await sh(install)
  dev = cleanup.use(
    startProcess('sh', ['-c', `exec ${start}`], {
      cwd: home,
      env: { ...environment(), PATCHBAY_PORT: String(await freePort()) },
      ...as,
    }),
  )
  await waitUntil(
    'everything is up',
    () => dev.output().includes('Ctrl-C') || dev.child.exitCode !== null,
    PATIENCE,
  ).catch((cause: unknown) => {
    throw new Error(dev.output(), { cause })
  })
  expect(dev.output()).toContain('Fetching @patchbay/dev')
  expect(dev.output()).toContain('begin with: patchbay login')
  url = /Open (http:\/\/localhost:\d+)/.exec(dev.output())?.[1] ?? ''
  const page = await fetch(url, { headers: { accept: 'text/html' } })
  expect(await page.text()).toContain('<div id="root">')
  expect((await stat(join(home, '.local/share/patchbay/dev/postgres'))).isDirectory()).toBe(true)
}, 600_000)

test('[CLI-186] a person logs in, by the words of the README', async () => {
  const [login = '', whoami = ''] = await commandsOf('Log in from an application')
  await using running = startProcess('sh', ['-c', `exec ${login}`], { cwd: home, env: environment(), ...as })
  const link = () => /(http:\/\/localhost:\d+\/\S+)/.exec(running.output())?.[1]
  await waitUntil('it shows its link', () => link() !== undefined)
  visit = cleanup.use(await openPage(await sharedChromium(SHARING)))
  const { page } = visit
  await page.goto(link() ?? '')
  await page.getByRole('button', { name: /^Continue with/ }).click()
  await page.getByRole('button', { name: /Ada/ }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('textbox', { name: /^Handle/ }).fill('ada')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  expect(await running.exited).toEqual([0, null])
  expect((await sh(whoami)).stdout).toContain('ada')
}, 120_000)

test('[CLI-186] publishes a package and installs it', async () => {
  for (const command of await commandsOf('Publish a package, and install it')) await sh(command)
  expect((await stat(join(home, '3rdparty/resources/com_example_blinky/icon.png'))).isFile()).toBe(true)
}, 120_000)

test('[CLI-186] and drives a workspace', async () => {
  const { page } = visit
  // A page that may be framed, in the place of one of the web.
  await using shown = await answering('<!doctype html><title>Docs</title>')
  for (const command of await commandsOf('Drive a workspace')) {
    const mine = command.replace('https://example.com', shown.url)
    if (!mine.includes('screenshot')) {
      const { stdout } = await sh(mine)
      if (mine.includes('workspace make')) await page.goto(/http\S+/.exec(stdout)?.[0] ?? '')
      continue
    }
    const taken = sh(mine)
    await page.getByRole('dialog').getByRole('button', { name: 'Share' }).click()
    await taken
  }
  expect((await readFile(join(home, 'board.png'))).subarray(1, 4).toString()).toBe('PNG')
}, 180_000)

test('[CLI-186] the second start needs no fetching, and the account is still there', async () => {
  await visit.page.goto('about:blank')
  await dev.kill('SIGTERM')
  expect(dev.output()).toContain('Stopping')
  const { pathname: _path, port } = new URL(url)
  await using again = startProcess('sh', ['-c', 'exec patchbay dev'], {
    cwd: home,
    env: { ...environment(), PATCHBAY_PORT: port },
    ...as,
  })
  await waitUntil('everything is up', () => again.output().includes('Ctrl-C'), PATIENCE)
  expect(again.output()).not.toContain('Fetching')
  expect((await sh('patchbay whoami')).stdout).toContain('ada')
}, 120_000)

async function answering(html: string) {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(html),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => server.close().closeAllConnections(),
  }
}
