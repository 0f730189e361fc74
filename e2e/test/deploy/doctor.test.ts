import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createUser } from '@patchbay/cli/test/user'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { startProcess } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { CLI, type ClientServer, startClientServer } from '../client/start-server.ts'
import { startLocalNginx } from './nginx-example.ts'
import type { Substitution } from './proxy.ts'

interface Findings {
  readonly findings: readonly {
    readonly name: string
    readonly state: string
    readonly says: string
    readonly fix?: string
  }[]
}

let server: ClientServer

beforeAll(async () => {
  server = await startClientServer({ PATCHBAY_TRUSTED_PROXIES: '127.0.0.1/32' })
}, 240_000)

afterAll(() => server[Symbol.asyncDispose]())

/** Nobody listens there, and it is none of the ports that `fetch` never asks. */
const CLOSED_PORT = 19_999

const statesOf = ({ findings }: Findings) =>
  Object.fromEntries(findings.map(({ name, state }) => [name, state]))

/** Behind the shipped nginx, changed in one place. */
async function examineBehindNginx(
  ...changes: Substitution[]
): Promise<Findings & { readonly code: number | null }> {
  await using cleanup = new AsyncDisposableStack()
  const proxy = cleanup.use(await startLocalNginx([server.port], changes))
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-doctor-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'ca.pem'), proxy.certificate)
  const running = cleanup.use(
    startProcess(
      process.execPath,
      [CLI, 'doctor', '--json', '--server', `https://localhost:${proxy.httpsPort}`],
      {
        env: { HOME: folder, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
      },
    ),
  )
  const [code] = await running.exited
  return { ...(JSON.parse(running.output()) as Findings), code }
}

deepTest(
  '[CLI-187] behind the shipped nginx nothing is wrong, but a certificate that ends soon',
  async () => {
    const { code, ...found } = await examineBehindNginx()
    const { Pages: _built, ...states } = statesOf(found)
    expect(states).toEqual({
      Server: 'ok',
      Readiness: 'ok',
      Sockets: 'ok',
      Metrics: 'ok',
      Encryption: 'warning',
      HSTS: 'ok',
      Clock: 'ok',
    })
    expect(found.findings.find(({ name }) => name === 'Encryption')).toMatchObject({
      says: expect.stringMatching(/^TLSv1\.3, the certificate is valid for [12] more days$/),
      fix: expect.stringContaining('Renew'),
    })
    expect(code).toBe(_built === 'ok' ? 0 : 1)
  },
)

deepTest.each<[string, string, Substitution]>([
  ['Sockets', 'fault', ['    proxy_set_header Upgrade $http_upgrade;\n', '']],
  [
    'HSTS',
    'warning',
    ['    add_header Strict-Transport-Security "max-age=31536000; includeSubDomains" always;\n', ''],
  ],
  [
    'Server',
    'fault',
    ['    location = /metrics {', '    location = /api/about { return 404; }\n    location = /metrics {'],
  ],
])('[CLI-187] %s is a %s where the proxy is wrong', async (name, state, change) => {
  expect(statesOf(await examineBehindNginx(change))[name]).toBe(state)
})

async function answering(listener: RequestListener) {
  const http = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => http.once('listening', resolve))
  const { port } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => http.close().closeAllConnections(),
  }
}

describe('[CLI-187] what is not well', () => {
  test('nobody is there: it is said once, with what to do', async () => {
    await using ada = await createUser()
    const { code, stdout } = await ada.run('doctor', '--server', `http://127.0.0.1:${await freePort()}`)
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^From outside, \S+\n {2}fault {4}Server {2}connect ECONNREFUSED 127\.0\.0\.1:\d+\n {19}Start the server, .*\n$/,
    )
  })

  test('somebody else is there, and what they say is shown without its control characters', async () => {
    await using stranger = await answering((_request, response) =>
      response.end('{"name":"patchbay","version":"\\u001b[2J1"}'),
    )
    await using ada = await createUser()
    const { stdout } = await ada.run('doctor', '--server', stranger.url)
    expect(stdout).toContain('Patchbay \\u{1b}[2J1')
    expect(stdout).toContain('without their Content-Security-Policy')
  })

  test('a node that is not ready names what fails', async () => {
    await using node = await answering((request, response) =>
      request.url === '/api/about'
        ? response.end('{"name":"patchbay","version":"1"}')
        : response
            .writeHead(503)
            .end('{"ready":false,"draining":false,"checks":{"database":"failed","bus":"ok"}}'),
    )
    await using ada = await createUser()
    const { stdout } = await ada.run('doctor', '--server', node.url)
    expect(stdout).toContain('not ready: database\n')
  })

  test('an address that is none', async () => {
    await using ada = await createUser()
    expect(await ada.run('doctor', '--server', 'patchbay')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"patchbay" is no address of a server.'),
    })
  })
})

describe('[CLI-188] from inside', () => {
  const inside = () => ({
    DATABASE_URL: server.databaseUrl,
    PATCHBAY_SERVER_URL: server.url,
    PATCHBAY_PUBLIC_URL: 'http://localhost:8790',
  })

  test('everything that the server needs is looked at, and nothing secret is shown', async () => {
    await using ada = await createUser()
    const { stdout } = await ada.runWith(inside(), 'doctor')
    expect(stdout).toContain('From inside, in this environment')
    expect(stdout).toMatch(/ok {7}PostgreSQL {6}PostgreSQL \d+\.\d+, all migrations applied/)
    for (const name of ['Configuration', 'Public address', 'Redis', 'Objects', 'Spool'])
      expect(stdout).toMatch(new RegExp(`ok {7}${name} `))
    expect(stdout).not.toContain(server.databaseUrl)
  })

  deepTest.each([
    ['PATCHBAY_PORT', { PATCHBAY_PORT: 'many' }, '"many" is not a whole number'],
    ['PostgreSQL', { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' }, 'ECONNREFUSED'],
    ['Redis', { REDIS_URL: 'redis://:hunter2@127.0.0.1:1' }, ''],
    ['PATCHBAY_PUBLIC_URL', { PATCHBAY_PUBLIC_URL: 'ftp://patchbay.example.com' }, 'not a URL'],
    ['PATCHBAY_PRT', { PATCHBAY_PRT: '1' }, 'did you mean PATCHBAY_PORT?'],
    ['Objects', { PATCHBAY_OBJECTS_URL: 'file:///dev/null/objects' }, ''],
    ['Spool', { PATCHBAY_SPOOL_FOLDER: '/dev/null/spool' }, 'ENOTDIR'],
    [
      'Issuer acme',
      {
        PATCHBAY_OIDC_ISSUERS: JSON.stringify([
          { id: 'acme', name: 'Acme', issuer: `http://127.0.0.1:${CLOSED_PORT}`, client_id: 'x' },
        ]),
      },
      'ECONNREFUSED',
    ],
  ])(
    '%s is a fault, with what to do',
    async (name, wrong, says) => {
      await using ada = await createUser()
      const { code, stdout } = await ada.runWith({ ...inside(), ...wrong }, 'doctor', '--json')
      const { findings } = JSON.parse(stdout) as Findings
      expect(code).toBe(1)
      expect(findings.find((each) => each.name === name)).toMatchObject({
        state: 'fault',
        says: expect.stringContaining(says),
        fix: expect.stringMatching(/./),
      })
      expect(stdout).not.toContain('hunter2')
    },
    60_000,
  )

  test.each([
    ['ok', 0, /^1\.(?:root|targets)\.json holds until \d{4}-\d\d-\d\d, 36[45] days$/],
    ['warning', -350, /holds until .*, 1[45] more days$/],
    ['fault', -400, /has expired: clients refuse what is new$/],
  ])('[CLI-190] signatures are %s when the ceremony was held %i days from now', async (state, days, says) => {
    await using ada = await createUser()
    await ada.run('repo', 'keys', 'create', 'keys')
    expect(await ada.runLater(days, 'repo', 'trust', 'init', 'keys', '--for', 'registry')).toMatchObject({
      code: 0,
    })
    const signing = {
      PATCHBAY_TRUST_FOLDER: ada.at('keys/trust'),
      PATCHBAY_TRUST_ONLINE_KEY_FILE: ada.at('keys/online-1.pem'),
    }
    const look = async (environment: Record<string, string>) => {
      const { stdout } = await ada.runWith({ ...inside(), ...environment }, 'doctor', '--json')
      return (JSON.parse(stdout) as Findings).findings.find(({ name }) => name === 'Signatures')
    }
    expect(await look(signing)).toMatchObject({ state, says: expect.stringMatching(says) })
    await rm(ada.at('keys/trust/1.targets.json'))
    expect(await look(signing)).toMatchObject({ state: 'fault', says: expect.stringContaining('no targets') })
    expect(await look({})).toBeUndefined()
  })
})
