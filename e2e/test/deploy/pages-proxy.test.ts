import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { run } from './commands.ts'
import { noCaddy, PAGES_EXAMPLES } from './examples.ts'
import { readText } from './files.ts'
import { PAGES_HOST, type StartProxy, type Substitution } from './proxy.ts'
import { ask, askPlain, askSeen } from './proxy-client.ts'
import { startUpstream } from './upstream.ts'

const TICKET = 'T'.repeat(43)
const TARGET = encodeURIComponent('https://site.example/a//b/../c%2Fd?q=1&r=ü#part')
const PAGE = `/page/${TICKET}/${TARGET}`

describe.each(PAGES_EXAMPLES)('$name', ({ start, missing, givesUp }) => {
  test.skipIf(missing)('[DP-340] the address of a page arrives as it was sent, without cookies', async () => {
    await using setup = await startBehind(start)
    const seen = await askSeen(setup.proxy, PAGE, { headers: { cookie: 'session=secret' } })
    expect(seen.url).toBe(PAGE)
    expect(seen.headers).not.toHaveProperty('cookie')
    const file = `/files/${TICKET}/my%20docs/50%25%20%231.html?a=1`
    expect((await askSeen(setup.proxy, file)).url).toBe(file)
  })

  test.skipIf(missing)('[DP-340] one that is as long as addresses may be passes', async () => {
    await using setup = await startBehind(start)
    const long = `/page/${TICKET}/${'%C3%BC'.repeat(1_000)}`
    expect((await askSeen(setup.proxy, long)).url).toBe(long)
  })

  test.skipIf(missing)('[DP-341] nothing but pages and files passes', async () => {
    await using setup = await startBehind(start)
    for (const path of [
      '/',
      '/metrics',
      '/health',
      '/ready',
      '/reference',
      '/page/../metrics',
      '/files/../metrics',
    ])
      expect({ path, status: (await ask(setup.proxy, path)).status }).toEqual({ path, status: 404 })
  })

  test.skipIf(missing)('[DP-342] TLS and forwarding headers are as for the server', async () => {
    await using setup = await startBehind(start)
    expect((await askPlain(setup.proxy, PAGE)).headers.location).toMatch(/^https:\/\/pages\.example\.com/)
    const { headers } = await askSeen(setup.proxy, PAGE, {
      headers: { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9', 'x-request-id': 'chosen' },
    })
    expect(headers).toMatchObject({ host: PAGES_HOST, 'x-forwarded-for': '127.0.0.1' })
    expect(headers).not.toHaveProperty('forwarded')
    expect(headers['x-request-id']).not.toBe('chosen')
    expect((await ask(setup.proxy, PAGE)).headers).toHaveProperty('strict-transport-security')
  })

  test.skipIf(missing)('[DP-342] no log holds an address, whether or not a node answers', async () => {
    await using setup = await startBehind(start, givesUp)
    await ask(setup.proxy, PAGE)
    await setup.node[Symbol.asyncDispose]()
    expect((await ask(setup.proxy, PAGE)).status).toBeGreaterThanOrEqual(502)
    expect(await setup.proxy.logs()).not.toMatch(new RegExp(`${TICKET}|site\\.example`))
  })
})

test.skipIf(noCaddy)('[DP-343] Caddy accepts its file, alone and behind that of the server', async () => {
  const text = await readText('deploy/caddy/pages.Caddyfile')
  const site = text.slice(text.indexOf('# No access log'))
  const both = `${await readText('deploy/caddy/Caddyfile')}\n${site}`
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-pages-caddy-'))
  try {
    for (const content of [text, both]) {
      const path = join(folder, 'Caddyfile')
      await writeFile(path, content)
      const { code, output } = await run('caddy', ['validate', '--adapter', 'caddyfile', '--config', path])
      expect({ code, remarks: output.match(/.*"level":"(?:warn|error)".*/g) }).toEqual({
        code: 0,
        remarks: null,
      })
      expect(await run('caddy', ['fmt', path])).toEqual({ code: 0, output: content })
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

/** One node and the example in front of it. */
async function startBehind(start: StartProxy, more: readonly Substitution[] = []) {
  await using stack = new AsyncDisposableStack()
  const node = stack.use(await startUpstream())
  const proxy = stack.use(await start([node.port], more))
  const kept = stack.move()
  return { node, proxy, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
