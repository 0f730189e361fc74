import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faultsOfHome } from './journey/home-folder.ts'
import { leaksIn, leakyAddresses } from './journey/leaks.ts'

const secret = () => randomBytes(32).toString('base64url')

test('[J-20] the search finds known secrets, tokens by their beginning, and verifiers that nobody knows', () => {
  const [token, verifier, invitation] = ['tok_', '', ''].map((prefix) => prefix + secret()) as [
    string,
    string,
    string,
  ]
  const line = (text: string) => `{"level":"info","route":"/auth/intents/:token","msg":"${text}"}`
  expect(leaksIn(line(token), [])).toEqual([token])
  expect(leaksIn(line(`?x=${verifier}&y`), [])).toEqual([verifier])
  expect(leaksIn(line(`cut-off-${invitation.slice(0, 20)}`), [invitation.slice(0, 20)])).toHaveLength(1)
  expect(leaksIn(line('request completed'), [token, verifier, invitation])).toEqual([])
})

test('[J-20] the search finds an address of ours with any secret, and an address of others with one of ours', () => {
  const [token, state] = [secret(), secret()]
  const addresses = [
    'http://localhost:1/approve',
    `http://localhost:1/approve?token=${state}`,
    `http://127.0.0.1:2/interaction/${state}`,
    `http://127.0.0.1:2/interaction?from=${token}`,
  ]
  expect(leakyAddresses(addresses, 'http://localhost:1', [token])).toEqual([addresses[1], addresses[3]])
})

test('[J-20] the search finds a folder that others can read, and a secret beside the credentials', async () => {
  await using cleanup = new AsyncDisposableStack()
  const home = await mkdtemp(join(tmpdir(), 'patchbay-home-'))
  cleanup.defer(() => rm(home, { recursive: true, force: true }))
  const folder = join(home, '.config', 'patchbay')
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  const [session, intent] = [`tok_${secret()}`, secret()]
  await writeFile(join(folder, 'credentials.json'), session, { mode: 0o600 })
  await writeFile(join(folder, 'pending.json'), intent, { mode: 0o600 })
  expect(await faultsOfHome(home, [session, intent])).toEqual([
    '.config/patchbay has the mode 755',
    `.config/patchbay/pending.json holds ${intent}`,
  ])
  await chmod(folder, 0o700)
  await rm(join(folder, 'pending.json'))
  expect(await faultsOfHome(home, [session, intent])).toEqual([])
})
