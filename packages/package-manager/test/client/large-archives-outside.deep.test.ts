import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deepTest } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { sha256, startBench } from './sample.ts'

const ARCHIVE = randomBytes(3_000_000)
const SCRIPT = join(import.meta.dirname, 'download-process.ts')
const run = promisify(execFile)

/** A download in a process of its own, which has to end by itself. Gives the hash, or the code of the failure. */
async function downloadApart(url: string, folder: string, env: Record<string, string> = {}): Promise<string> {
  const parameters = [SCRIPT, url, folder, sha256(ARCHIVE), String(ARCHIVE.length)]
  const { stdout } = await run(process.execPath, parameters, { env: { ...process.env, ...env } })
  return stdout.trim()
}

async function startSecureServer() {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-tls-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  await run('openssl', ['req', '-x509', ...curve, ...name, '-keyout', key, '-out', certificate])
  const names: unknown[] = []
  const options = { key: await readFile(key), cert: await readFile(certificate) }
  const server = createSecureServer(options, (request, response) => {
    names.push((request.socket as { servername?: unknown }).servername)
    response.writeHead(200, { 'content-length': ARCHIVE.length }).end(ARCHIVE)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    folder,
    certificate,
    names,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

deepTest(
  '[A-393] over https a large archive is whole, and comes from whom the certificate names alone',
  async () => {
    await using server = await startSecureServer()
    const { folder, port } = server
    const trusting = { NODE_EXTRA_CA_CERTS: server.certificate }
    // Side by side: those that fail pause before they try again.
    const outcomes = await Promise.all([
      downloadApart(`https://localhost:${port}/a.zip`, join(folder, 'named'), trusting),
      downloadApart(`https://127.0.0.1:${port}/a.zip`, join(folder, 'other'), trusting),
      downloadApart(`https://localhost:${port}/a.zip`, join(folder, 'unknown')),
    ])
    expect(outcomes).toEqual([sha256(ARCHIVE), 'unreachable', 'unreachable'])
    expect(server.names).toEqual(['localhost'])
  },
  60_000,
)

test('[A-393] after a large archive, and after one that breaks off, the process ends', async () => {
  await using bench = await startBench()
  const url = bench.server.origin
  bench.server.serve('/a.zip', ARCHIVE)
  bench.server.handlers.set('/b.zip', (_request, response) => {
    const announced = { 'content-length': ARCHIVE.length }
    response.writeHead(200, announced).write(ARCHIVE.subarray(1), () => response.destroy())
  })
  const outcomes = await Promise.all([
    downloadApart(`${url}/a.zip`, join(bench.folder, 'whole')),
    downloadApart(`${url}/b.zip`, join(bench.folder, 'broken')),
  ])
  expect(outcomes).toEqual([sha256(ARCHIVE), 'interrupted'])
}, 60_000)

test('[A-394] where Node uses a proxy, a large archive comes through it', async () => {
  await using bench = await startBench()
  bench.server.serve('/a.zip', ARCHIVE)
  const asked: (string | undefined)[] = []
  const proxy = createServer((_request, response) => response.writeHead(500).end())
  proxy.on('connect', ({ url }, socket) => {
    asked.push(url)
    const tunnel = connect(Number(new URL(bench.server.origin).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      tunnel.pipe(socket).pipe(tunnel)
    })
    tunnel.on('error', () => socket.destroy())
    socket.on('error', () => tunnel.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const env = {
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: address,
    http_proxy: address,
    NO_PROXY: '',
    no_proxy: '',
  }
  // A name that exists nowhere: without the proxy there is no way to it.
  expect(await downloadApart('http://packages.invalid/a.zip', bench.folder, env)).toBe(sha256(ARCHIVE))
  expect(asked).toEqual(['packages.invalid:80'])
  proxy.close()
  proxy.closeAllConnections()
}, 60_000)
