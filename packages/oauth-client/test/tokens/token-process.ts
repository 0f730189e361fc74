import { once } from 'node:events'
import { Credentials } from '../../src/credentials/index.ts'
import { systemSurroundings } from '../../src/surroundings.ts'
import { TokenKeeper } from '../../src/tokens/index.ts'

// Asks for a token as soon as it is told to, from an hour ahead, when the stored one has ended.
const [tokenUrl = '', folder = '', clientSecret = ''] = process.argv.slice(2)
const keeper = new TokenKeeper({
  provider: 'idp',
  tokenUrl,
  folder,
  credentials: new Credentials({ clientId: 'app', clientSecret }),
  surroundings: { ...systemSurroundings, now: () => systemSurroundings.now() + 3_600_000 },
})
process.stdout.write('ready\n')
await once(process.stdin, 'data')
process.stdin.pause()
const token = await keeper.getAccessToken('ada').catch((error: Error) => error.message)
process.stdout.write(`got ${token}\n`)
