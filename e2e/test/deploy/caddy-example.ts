import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, withFreePort } from '@patchbay/testkit/ports'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'
import { readText } from './files.ts'
import {
  createCertificate,
  GATEWAY_HOST,
  HOST,
  PAGES_HOST,
  type Proxy,
  readWritten,
  type StartProxy,
  type Substitution,
  substitute,
} from './proxy.ts'

interface Shipped {
  readonly file: string
  readonly host: string
  readonly port: number
}

const SERVER = { file: 'Caddyfile', host: HOST, port: 8790 }
const GATEWAY = { file: 'gateway.Caddyfile', host: GATEWAY_HOST, port: 8795 }
const PAGES = { file: 'pages.Caddyfile', host: PAGES_HOST, port: 8792 }

export const startCaddyExample: StartProxy = (nodes, more) => start(SERVER, nodes, more)
export const startGatewayCaddy: StartProxy = (nodes, more) => start(GATEWAY, nodes, more)
export const startPagesCaddy: StartProxy = (nodes, more) => start(PAGES, nodes, more)

/** The shipped Caddy example in a real Caddy. The certificate is ours: none can be had for a made-up name. */
async function start(
  { file, host, port }: Shipped,
  nodes: readonly number[],
  more: readonly Substitution[] = [],
): Promise<Proxy> {
  const example = await readText(`deploy/caddy/${file}`)
  return withFreePort(async (httpsPort) => {
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-caddy-'))
    const certificate = await createCertificate(folder, host)
    const httpPort = await freePort()
    const addresses = [
      'admin off',
      `http_port ${httpPort}`,
      `https_port ${httpsPort}`,
      'default_bind 127.0.0.1',
    ]
    const text = substitute(example, [
      ['\tlog {\n', `${addresses.map((line) => `\t${line}\n`).join('')}\tlog {\n`],
      [`${host} {`, `${host} {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`],
      [`127.0.0.1:${port}`, nodes.map((node) => `127.0.0.1:${node}`).join(' ')],
      ...more,
    ])
    const caddy = await launchCaddy(folder, text)
    return {
      host,
      httpPort,
      httpsPort,
      certificate,
      logs: async () => caddy.output() + (await readWritten(folder)),
      [Symbol.asyncDispose]: () => caddy[Symbol.asyncDispose](),
    }
  })
}

async function launchCaddy(
  folder: string,
  text: string,
): Promise<Pick<RunningProcess, 'output'> & AsyncDisposable> {
  await writeFile(join(folder, 'Caddyfile'), text)
  const caddy = startProcess(
    'caddy',
    ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
    {
      env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    },
  )
  const end = async () => {
    await caddy.kill()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await waitUntil('Caddy to serve', () => {
      if (caddy.child.exitCode !== null) throw new Error('it ended')
      return caddy.output().includes('serving initial configuration')
    })
  } catch (cause) {
    await end()
    throw new Error(`Caddy did not start, ${String(cause)}:\n${caddy.output()}`, { cause })
  }
  return { output: () => caddy.output(), [Symbol.asyncDispose]: end }
}
