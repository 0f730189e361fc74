import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import type { PackedPackage } from '../src/packages.ts'

const run = promisify(execFile)

/** What was packed, as a registry on loopback serves it to npm: one version of each, and nothing of anybody else. */
export async function startRegistry(packed: readonly PackedPackage[]) {
  const documents = new Map<string, object>()
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1)
    const document = documents.get(path)
    const archive = packed.find(({ file }) => path === `-/${basename(file)}`)
    if (document !== undefined)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
    else if (archive !== undefined) createReadStream(archive.file).pipe(response)
    else response.writeHead(404).end('{}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  for (const { name, file } of packed) {
    const { stdout } = await run('tar', ['xzOf', file, 'package/package.json'])
    const manifest = JSON.parse(stdout) as { readonly version: string }
    const hash = createHash('sha512').update(await readFile(file))
    const dist = { tarball: `${url}-/${basename(file)}`, integrity: `sha512-${hash.digest('base64')}` }
    documents.set(name, {
      name,
      'dist-tags': { latest: manifest.version },
      versions: { [manifest.version]: { ...manifest, dist } },
    })
  }
  return {
    url,
    [Symbol.asyncDispose]: async () => server.close().closeAllConnections(),
  }
}
