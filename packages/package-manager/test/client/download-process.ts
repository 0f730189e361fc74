import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { openRepository } from '../../src/index.ts'
import { sampleVersion } from './sample.ts'

// One large archive, with the waits that people get. What is left over afterwards keeps this process alive.
const [url = '', folder = '', sha256 = '', size = '0'] = process.argv.slice(2)
const version = sampleVersion({ download_url: url, download_sha256: sha256, download_size: Number(size) })
const limits = { attempts: 1 }
const repository = openRepository(
  { url: new URL('/repository.json', url).href },
  { cacheFolder: join(folder, 'cache'), limits },
)
await repository
  .openDownload(version, { isHashedByCaller: true })
  .then(({ stream }) => hashOf(stream))
  .then(
    (found) => process.stdout.write(`${found}\n`),
    (error: { code?: string }) => process.stdout.write(`${error.code}\n`),
  )

async function hashOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of stream) hash.update(piece)
  return hash.digest('hex')
}
