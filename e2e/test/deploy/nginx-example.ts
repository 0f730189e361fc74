import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startNginx } from '@patchbay/testkit/nginx'
import { readText } from './files.ts'
import { createCertificate, type Proxy, substitute } from './proxy.ts'

/** The shipped nginx example in a real nginx, with other ports, paths and nodes and nothing else changed. */
export async function startNginxExample(nodes: readonly number[]): Promise<Proxy> {
  const example = await readText('deploy/nginx/patchbay.conf')
  let certificate = ''
  const nginx = await startNginx({
    ports: 2,
    config: async ({ folder, ports: [http = 0, https = 0] }) => {
      certificate = await createCertificate(folder)
      return substitute(example, [
        ['    listen [::]:80;\n', ''],
        ['    listen [::]:443 ssl http2;\n', ''],
        ['listen 80;', `listen 127.0.0.1:${http};`],
        ['listen 443 ssl http2;', `listen 127.0.0.1:${https} ssl http2;`],
        ['/etc/ssl/patchbay', folder],
        ['/var/log/nginx/', ''],
        [
          'server 127.0.0.1:8790 max_fails=1 fail_timeout=5s;',
          nodes.map((node) => `server 127.0.0.1:${node} max_fails=1 fail_timeout=5s;`).join('\n'),
        ],
      ])
    },
  })
  const [httpPort = 0, httpsPort = 0] = nginx.ports
  return {
    httpPort,
    httpsPort,
    certificate,
    logs: async () => nginx.output() + (await readLogs(nginx.folder)),
    [Symbol.asyncDispose]: () => nginx[Symbol.asyncDispose](),
  }
}

async function readLogs(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log'))
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n')
}
