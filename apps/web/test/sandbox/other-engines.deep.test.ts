import { spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  SANDBOX_FRAME_PATH,
  SANDBOX_HOST_PATH,
  sandboxFramePage,
  sandboxHostPage,
} from '@patchbay/contracts/panels'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'

/** Engines that have no driver here: a page is opened, and what it tells its server is what is known of it. */
const ENGINES = [
  {
    name: 'Firefox',
    program: '/usr/bin/firefox-esr',
    start: (profile: string) => ['firefox-esr', '--headless', '--no-remote', '--profile', profile],
  },
  {
    name: 'WebKit',
    program: globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser')[0] ?? '',
    start: () => ['xvfb-run', '-a', globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser')[0] ?? ''],
  },
]
/** How often the page has looked for the code. */
const HUNTS = 30

/** In a sandbox: looks for every frame, and tells over its port what it hears and what it finds. */
const CODE = `var sandboxFrame = { start(port) {
  document.open(); document.write('<body>'); document.close()
  window.name = 'prey'
  const named = document.createElement('iframe')
  named.name = 'prey'
  document.body.append(named)
  addEventListener('message', ({ data }) => port.postMessage('heard ' + data))
  const found = (name, look) => { try { if (look()) port.postMessage('found by ' + name) } catch {} }
  setInterval(() => {
    found('number', () => top.length > 0)
    found('name', () => top.hunter)
    found('open', () => open('', 'hunter'))
    found('open of the document', () => document.open('', 'hunter', '') !== document)
    found('open of a frame', () => named.contentWindow.open('', 'hunter'))
  }, 50)
  port.postMessage('started')
} }`

const HUNTER = `<script>
  window.name = 'hunter'
  const lure = (frame, depth) => {
    try { frame.postMessage('bait', '*') } catch {}
    try { frame.parent.postMessage('bait', '*') } catch {}
    for (let i = 0; depth < 4 && i < Math.min(frame.length, 20); i += 1) lure(frame[i], depth + 1)
  }
  setInterval(() => {
    for (let i = 0; i < top.length; i += 1) lure(top[i], 1)
    try { lure(open('', 'prey'), 3) } catch {}
    try { lure(top.prey, 3) } catch {}
    fetch('/hunt')
  }, 50)
</script>`

/** The frames as the workspace has them, or plainly in the document. */
const pageWith = (isPlain: boolean) => `<!doctype html><div id="a"></div><div id="b"></div><script>
  const rootOf = (id) => ${isPlain ? 'document.getElementById(id)' : `document.getElementById(id).attachShadow({ mode: 'open' })`}
  const foreign = document.createElement('iframe')
  foreign.sandbox = 'allow-scripts allow-forms allow-popups allow-same-origin'
  foreign.src = location.origin.replace('127.0.0.1', 'localhost') + '/hunter'
  const around = document.createElement('iframe')
  ${isPlain ? `rootOf('b').append(foreign)` : `around.onload = () => around.contentDocument.body.append(foreign); rootOf('b').append(around)`}
  const outer = document.createElement('iframe')
  outer.src = '${SANDBOX_HOST_PATH}'
  outer.onload = () => {
    const channel = new MessageChannel()
    channel.port1.onmessage = ({ data }) => fetch('/told?' + encodeURIComponent(data))
    outer.contentDocument.querySelector('iframe').contentWindow.postMessage(${JSON.stringify(CODE)}, '*', [channel.port2])
  }
  rootOf('a').append(outer)
</script>`

async function told(program: readonly string[], isPlain: boolean): Promise<ReadonlySet<string>> {
  const said = new Set<string>()
  let hunts = 0
  const server = createServer(({ url = '/' }, response) => {
    const { pathname, search } = new URL(url, 'http://site')
    const page =
      pathname === SANDBOX_HOST_PATH
        ? sandboxHostPage([])
        : pathname === SANDBOX_FRAME_PATH
          ? sandboxFramePage([])
          : pathname === '/hunter'
            ? { html: HUNTER, headers: {} }
            : pathname === '/'
              ? { html: pageWith(isPlain), headers: {} }
              : undefined
    if (pathname === '/told') said.add(decodeURIComponent(search.slice(1)))
    if (pathname === '/hunt') hunts += 1
    if (page === undefined) response.writeHead(204).end()
    else response.writeHead(200, { 'content-type': 'text/html', ...page.headers }).end(page.html)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, resolve)
  })
  const { port } = server.address() as { port: number }
  const [command = '', ...options] = program
  // In a group of its own: a browser is many processes.
  const browser = spawn(command, [...options, `http://127.0.0.1:${port}/`], {
    stdio: 'ignore',
    detached: true,
  })
  try {
    await waitUntil('code and page have looked for each other', () => said.has('started') && hunts > HUNTS, {
      deadlineMs: 60_000,
    })
    return said
  } finally {
    if (browser.pid !== undefined) process.kill(-browser.pid, 'SIGKILL')
    server.closeAllConnections()
    server.close()
  }
}

for (const { name, program, start } of ENGINES) {
  test.skipIf(!existsSync(program))(
    `[W-335] S2: code and a page in a neighboring web view do not find each other in ${name}`,
    async () => {
      const profile = await mkdtemp(join(tmpdir(), 'patchbay-engine-'))
      try {
        expect([...(await told(start(profile), false))]).toEqual(['started'])
        // In frames of the document itself they do: what keeps them apart is not this test.
        expect((await told(start(profile), true)).size).toBeGreaterThan(1)
      } finally {
        await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
      }
    },
    180_000,
  )
}
