import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startOidcProvider } from '@patchbay/dev-identity-provider'
import { installPacked } from '@patchbay/testkit/packed'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { Person } from './person.ts'
import { startGateway } from './start-gateway.ts'

/** The oldest Node that the package promises to run on. */
const OLD_NODE = process.env['PATCHBAY_OLD_NODE']

test.skipIf(OLD_NODE === undefined)(
  '[B-480] the packed package connects and renews on the oldest Node it promises, in plain JavaScript',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-published-'))
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => rm(folder, { recursive: true, force: true }))
    await installPacked('oauth-client', folder)
    const script = join(folder, 'service.mjs')
    await cp(join(dirname(fileURLToPath(import.meta.url)), 'published-service.js'), script)
    await using gateway = await startGateway()
    await using provider = await startOidcProvider({
      clients: [
        {
          id: 'board',
          secret: 'a secret for tests only',
          authMethod: 'client_secret_post',
          redirectUris: [`${gateway.url}/callback`],
        },
      ],
    })
    await using service = startProcess(OLD_NODE ?? '', [script], {
      cwd: folder,
      env: { GATEWAY: gateway.url, ISSUER: provider.issuer, FOLDER: join(folder, 'tokens'), HOME: folder },
    })
    const said = (pattern: RegExp) => pattern.exec(service.output())?.[1]
    await waitUntil('the flow has started', () => said(/^open (\S+)$/m) !== undefined, { deadlineMs: 30_000 })
    await new Person().allow(said(/^open (\S+)$/m) ?? '')
    await waitUntil('the service has ended', () => service.child.exitCode !== null, { deadlineMs: 30_000 })
    expect(service.output()).toMatch(/^done v20\.\d+\.\d+ renewed=true function function$/m)
    expect(service.child.exitCode).toBe(0)
  },
  240_000,
)
