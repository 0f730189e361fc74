import { startNginx } from '@patchbay/testkit/nginx'
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
  readonly certificates: string
}

const SERVER = { file: 'patchbay.conf', host: HOST, port: 8790, certificates: '/etc/ssl/patchbay' }
const GATEWAY = {
  file: 'patchbay-gateway.conf',
  host: GATEWAY_HOST,
  port: 8795,
  certificates: '/etc/ssl/patchbay-gateway',
}

const PAGES = {
  file: 'patchbay-pages.conf',
  host: PAGES_HOST,
  port: 8792,
  certificates: '/etc/ssl/patchbay-pages',
}

export const startNginxExample: StartProxy = (nodes, more) => start(SERVER, nodes, more)
/** As the server's, under a name that leads to this machine. */
export const startLocalNginx: StartProxy = (nodes, more = []) =>
  start({ ...SERVER, host: 'localhost' }, nodes, [
    [`server_name ${HOST};`, 'server_name localhost;'],
    ...more,
  ])
export const startGatewayNginx: StartProxy = (nodes, more) => start(GATEWAY, nodes, more)
export const startPagesNginx: StartProxy = (nodes, more) => start(PAGES, nodes, more)

/** The shipped nginx example in a real nginx, with other ports, paths and nodes and nothing else changed. */
async function start(
  { file, host, port, certificates }: Shipped,
  nodes: readonly number[],
  more: readonly Substitution[] = [],
): Promise<Proxy> {
  const example = await readText(`deploy/nginx/${file}`)
  let certificate = ''
  const nginx = await startNginx({
    ports: 2,
    config: async ({ folder, ports: [http = 0, https = 0] }) => {
      certificate = await createCertificate(folder, host)
      return substitute(example, [
        ['    listen [::]:80;\n', ''],
        ['    listen [::]:443 ssl http2;\n', ''],
        ['listen 80;', `listen 127.0.0.1:${http};`],
        ['listen 443 ssl http2;', `listen 127.0.0.1:${https} ssl http2;`],
        [`${certificates}/`, `${folder}/`],
        ['/var/log/nginx/', ''],
        ...(file === SERVER.file ? [['/var/cache/nginx-patchbay', `${folder}/cache`] as const] : []),
        [
          `server 127.0.0.1:${port} max_fails=0;`,
          nodes.map((node) => `server 127.0.0.1:${node} max_fails=0;`).join('\n'),
        ],
        ...more,
      ])
    },
  })
  const [httpPort = 0, httpsPort = 0] = nginx.ports
  return {
    host,
    httpPort,
    httpsPort,
    certificate,
    logs: async () => nginx.output() + (await readWritten(nginx.folder)),
    [Symbol.asyncDispose]: () => nginx[Symbol.asyncDispose](),
  }
}
