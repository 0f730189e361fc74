import { openRepository } from '../../src/index.ts'

// One refresh, with the waits that people get. What is left over afterwards keeps this process alive.
const [url = '', cacheFolder = ''] = process.argv.slice(2)
await openRepository({ url }, { cacheFolder, limits: { attempts: 1 } })
  .refresh()
  .catch((error: { code?: string }) => process.stdout.write(`${error.code}\n`))
