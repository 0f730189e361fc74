import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startNginx } from '@patchbay/testkit/nginx'
import { type ClonedDatabase, cloneDatabase } from '@patchbay/testkit/postgres'
import { buildApp } from '@patchbay/web/test/build-app'
import { type Fleet, type ServerProcess, startFleet } from '../servers.ts'

/** An installation as its people see it. */
export interface Site extends AsyncDisposable {
  /** With `localhost`: `__Host-` cookies and passkeys need a name that the browser trusts. */
  readonly url: string
  readonly databaseUrl: string
  /** None where the server runs in the process of the test. */
  readonly nodes: readonly ServerProcess[]
  /** Everything the nodes have logged. */
  readonly logs: () => string
}

export type Environment = Readonly<Record<string, string>>

/** A request as the proxy in front has seen it. */
interface ProxiedRequest {
  readonly node: string
  readonly method: string
  readonly path: string
}

interface ProxiedSite extends Site {
  /** Those that have ended, in that order. */
  requests(): Promise<ProxiedRequest[]>
}

/** Two nodes behind an nginx that is told no more than it must: each request goes to the other node. */
export async function startTwoNodes(environment: Environment): Promise<ProxiedSite> {
  await using cleanup = new AsyncDisposableStack()
  const settings = {
    PATCHBAY_WEB_ROOT: await buildApp(),
    PATCHBAY_OBJECTS_URL: await objectsUrl(cleanup),
    ...environment,
  }
  let fleet: Fleet | undefined
  cleanup.defer(async () => await fleet?.[Symbol.asyncDispose]())
  const nginx = cleanup.use(
    await startNginx({
      config: async ({ port }) => {
        // Called again when the port was taken meanwhile; the nodes have been told the former one.
        await fleet?.[Symbol.asyncDispose]()
        fleet = await startFleet(2, { ...settings, PATCHBAY_PUBLIC_URL: `http://localhost:${port}` })
        const servers = fleet.nodes.map((node) => `server 127.0.0.1:${node.port};`).join(' ')
        return `upstream patchbay { ${servers} }
          log_format nodes '$upstream_addr $request_method $uri';
          server {
            listen 127.0.0.1:${port};
            access_log nodes.log nodes;
            location / { proxy_pass http://patchbay; proxy_set_header Host $http_host; }
          }`
      },
    }),
  )
  if (fleet === undefined) throw new Error('nginx started without a configuration')
  const { databaseUrl, nodes, logs } = fleet
  const owned = cleanup.move()
  return {
    url: `http://localhost:${nginx.port}`,
    databaseUrl,
    nodes,
    logs,
    async requests() {
      const lines = (await readFile(join(nginx.folder, 'nodes.log'), 'utf8')).trim().split('\n')
      return lines.map((line) => {
        const [node = '', method = '', path = ''] = line.split(' ')
        return { node, method, path }
      })
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** A database as the operator creates it: with nothing in it. */
export async function emptyDatabase(): Promise<ClonedDatabase> {
  return await cloneDatabase({ fingerprint: 'nothing', migrate: async () => {} })
}

export async function objectsUrl(cleanup: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-journey-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  return pathToFileURL(join(folder, 'objects')).href
}
