import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCertificate } from '../deploy/proxy.ts'

export interface SecureSite extends AsyncDisposable {
  readonly origin: string
  /** How many requests have come. */
  asked(): number
}

/** A site with TLS and a certificate that nobody vouches for. */
export async function startSecureSite(): Promise<SecureSite> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-secure-'))
  const cert = await createCertificate(folder, 'localhost')
  const key = await readFile(join(folder, 'privkey.pem'))
  let asked = 0
  const server = createServer({ key, cert }, (_request, response) => {
    asked += 1
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('lit')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no TCP address')
  return {
    origin: `https://localhost:${address.port}`,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      await rm(folder, { recursive: true, force: true })
    },
  }
}
