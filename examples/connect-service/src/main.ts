import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startOidcProvider } from '@patchbay/dev-identity-provider'
import { readCredentials } from '@patchbay/oauth-client'
import { freePort } from '@patchbay/testkit/ports'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { createService } from './service.ts'

const ROOT = new URL('../../../', import.meta.url)
const FOLDER = process.env['EXAMPLE_FOLDER'] ?? fileURLToPath(new URL('.patchbay/connect-service/', ROOT))

/** A gateway of its own, unless one is named. */
async function findGateway(): Promise<string> {
  const named = process.env['PATCHBAY_GATEWAY_URL']
  if (named !== undefined) return named
  const port = await freePort()
  const url = `http://localhost:${port}`
  const cli = fileURLToPath(new URL('apps/cli/src/main.ts', ROOT))
  const environment = {
    PATCHBAY_GATEWAY_DELIVERY: 'confirm',
    ...process.env,
    PATCHBAY_GATEWAY_PORT: String(port),
  }
  const gateway = startProcess(process.execPath, [cli, 'gateway'], { env: environment })
  await waitUntil('the gateway answers', async () => {
    if (gateway.child.exitCode !== null) throw new Error(`the gateway did not start:\n${gateway.output()}`)
    return await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  return url
}

/** What a developer gets from the provider's console and ships with the service. */
async function writeCredentials(): Promise<string> {
  const path = join(FOLDER, 'credentials.json')
  await mkdir(FOLDER, { recursive: true })
  await writeFile(path, JSON.stringify({ clientId: 'bench-notes', clientSecret: 'only-for-development' }))
  return path
}

// Without a listener a signal ends this process alone, and leaves the gateway running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
const gatewayUrl = await findGateway()
const provider = await startOidcProvider()
const credentials = await readCredentials(await writeCredentials())
await provider.addClient({
  id: credentials.clientId,
  secret: 'only-for-development',
  authMethod: 'client_secret_post',
  redirectUris: [`${gatewayUrl}/callback`],
  name: 'Bench notes',
})
const service = createService({
  gatewayUrl,
  issuer: provider.issuer,
  credentials,
  folder: join(FOLDER, 'tokens'),
})
const port = Number(process.env['EXAMPLE_PORT'] ?? 8798)
service.listen(port, '127.0.0.1', () => {
  console.log(`Bench notes      http://localhost:${port}   open this and connect`)
  console.log(`gateway          ${gatewayUrl}`)
  console.log(`Example ID       ${provider.issuer}   the development identity provider`)
  console.log(`tokens           ${join(FOLDER, 'tokens')}`)
})
service.on('error', (error) => {
  console.error(`The service cannot listen on port ${port}: ${error.message}. Set EXAMPLE_PORT to another.`)
  process.exit(1)
})
