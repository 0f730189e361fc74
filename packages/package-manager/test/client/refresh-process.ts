import { openRepository } from '../../src/index.ts'

// Refreshes again and again, and prints what it saw.
const [url = '', cacheFolder = '', rounds = '0'] = process.argv.slice(2)
for (let round = 0; round < Number(rounds); round += 1) {
  const client = openRepository({ url }, { cacheFolder, limits: { pauseMs: 1 } })
  const outcome = await client.refresh().then(
    ({ updateTimestamp, packages }) => `${updateTimestamp} ${packages[0]?.name}`,
    (error: { code?: string; message: string }) => `failed ${error.code ?? error.message}`,
  )
  process.stdout.write(`${outcome}\n`)
}
