import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startNginx } from '../src/nginx.ts'
import { waitUntil } from '../src/processes.ts'

test('[TK-301] requests reach the upstream through a real nginx', async () => {
  await using upstream = await startUpstream()
  await using nginx = await startNginx({
    config: ({ port }) =>
      `server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${upstream.port}; } }`,
  })
  const answer = await fetch(`${nginx.url}/a/path`)
  expect(answer.headers.get('server')).toMatch(/^nginx/)
  expect(await answer.text()).toBe('upstream saw /a/path')
})

test('[TK-301] a body larger than the buffers passes whichever user runs nginx', async () => {
  await using upstream = await startUpstream()
  await using nginx = await startNginx({
    config: ({ port }) => `client_body_buffer_size 1k;
      server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${upstream.port}; } }`,
  })
  const answer = await fetch(nginx.url, { method: 'POST', body: 'x'.repeat(100_000) })
  expect(await answer.text()).toBe('upstream saw / and 100000 bytes')
})

test('[TK-302] every port that was asked for is distinct and answers', async () => {
  await using nginx = await startNginx({
    ports: 3,
    config: ({ ports }) =>
      ports.map((port) => `server { listen 127.0.0.1:${port}; return 200 "port ${port}"; }`).join('\n'),
  })
  expect(new Set(nginx.ports).size).toBe(3)
  const answers = nginx.ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}`)).text())
  expect(await Promise.all(answers)).toEqual(nginx.ports.map((port) => `port ${port}`))
})

test('[TK-303] a port that another process takes first is replaced by another', async () => {
  await using rival = await startUpstream()
  const seen: number[] = []
  await using nginx = await startNginx({
    config: ({ port }) => {
      seen.push(port)
      const listened = seen.length === 1 ? rival.port : port
      return `server { listen 127.0.0.1:${listened}; return 200 "nginx"; }`
    },
  })
  expect(seen).toHaveLength(2)
  expect(await (await fetch(nginx.url)).text()).toBe('nginx')
})

test('[TK-304] a configuration that nginx refuses fails at once, with what nginx said', async () => {
  const places: string[] = []
  const start = startNginx({
    config: ({ folder }) => {
      places.push(folder)
      return 'no_such_directive on;'
    },
  })
  await expect(start).rejects.toThrow('unknown directive "no_such_directive"')
  expect(places.map((folder) => existsSync(folder))).toEqual([false])
})

test('[TK-305] nothing is left behind after the end', async () => {
  let pid = 0
  let folder = ''
  {
    await using nginx = await startNginx({ config: alone })
    ;({ pid, folder } = nginx)
    expect(existsSync(join(folder, 'nginx.conf'))).toBe(true)
  }
  expect(isAlive(pid)).toBe(false)
  expect(existsSync(folder)).toBe(false)
})

test('[TK-305] an nginx that is killed holds no port', async () => {
  await using nginx = await startNginx({ config: alone })
  process.kill(nginx.pid, 'SIGKILL')
  await waitUntil('nginx to be gone', () => !isAlive(nginx.pid))
  expect(await accepts(nginx.port)).toBe(false)
})

function alone({ port }: { port: number }): string {
  return `server { listen 127.0.0.1:${port}; return 200 "ok"; }`
}

interface Upstream extends AsyncDisposable {
  readonly port: number
}

async function startUpstream(): Promise<Upstream> {
  const server: Server = createServer((request, response) => {
    let bytes = 0
    request.on('data', (chunk: Buffer) => (bytes += chunk.length))
    request.on('end', () =>
      response.end(`upstream saw ${request.url}${bytes > 0 ? ` and ${bytes} bytes` : ''}`),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no TCP address')
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
