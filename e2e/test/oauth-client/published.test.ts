import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startOidcProvider } from '@patchbay/testkit/oidc'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { Person } from './person.ts'
import { startGateway } from './start-gateway.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** The oldest Node that the package promises to run on. */
const OLD_NODE = process.env['PATCHBAY_OLD_NODE']

/** A project that has installed the packed package, as it would come from a registry. */
async function installPacked(folder: string): Promise<void> {
  await run('pnpm', ['exec', 'tsc', '-b', 'packages/oauth-client'], { cwd: ROOT })
  for (const name of ['contracts', 'oauth-client']) {
    await run('pnpm', ['pack', '--pack-destination', folder], { cwd: join(ROOT, 'packages', name) })
    const home = join(folder, 'node_modules/@patchbay', name)
    await mkdir(home, { recursive: true })
    await run('tar', ['xzf', join(folder, `patchbay-${name}-0.1.0.tgz`), '--strip-components=1', '-C', home])
    const manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const resolver = createRequire(join(ROOT, 'packages', name, 'package.json'))
    for (const dependency of Object.keys(manifest.dependencies)) {
      if (dependency.startsWith('@patchbay/')) continue
      const installed = packageFolder(resolver, dependency)
      await symlink(installed, join(folder, 'node_modules', dependency))
    }
  }
}

function packageFolder(resolver: NodeJS.Require, name: string): string {
  const [search = ''] = resolver.resolve.paths(name) ?? []
  return join(search, name)
}

test.skipIf(OLD_NODE === undefined)(
  '[B-480] the packed package connects and renews on the oldest Node it promises, in plain JavaScript',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-published-'))
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => rm(folder, { recursive: true, force: true }))
    await installPacked(folder)
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
  120_000,
)
