import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { depth } from '@patchbay/testkit/depth'
import { startRedis } from '@patchbay/testkit/redis'
import { expect, test } from 'vitest'
import { type Face, spawnGateway } from './start.ts'

const FLOWS = depth({ common: 400, deep: 10_000 })
const LANES = 24
/** Every fifth flow goes through the page that asks. */
const CONFIRMED_SHARE = 5

/** One person's way from registration to "done", with secrets that can be recognized wherever they turn up. */
async function runFlow(home: Face, door: Face, confirms: boolean): Promise<readonly string[]> {
  const state = randomUUID()
  const code = `code.${randomUUID()}`
  const resumeVerifier = randomBytes(32).toString('base64url')
  const resumeChallenge = createHash('sha256').update(resumeVerifier).digest('base64url')
  await using client = await home.connect()
  await client.register(state, { resumeChallenge })
  const answer = await door.ask(`/callback?${new URLSearchParams({ code, state, iss: 'x' }).toString()}`)
  const location = answer.headers.get('location') ?? ''
  if (confirms) {
    const cookie = answer.headers
      .getSetCookie()
      .filter((text) => !text.includes('Max-Age=0'))
      .map((text) => text.split('; ')[0])
      .join('; ')
    const html = await (await door.ask(location, { headers: { cookie } })).text()
    const nonce = /name="nonce" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const body = new URLSearchParams({ decision: 'deliver', nonce })
    const decided = await door.ask(location, { method: 'POST', body, headers: { cookie } })
    if (decided.headers.get('location') !== '/callback/result/done') throw new Error('the flow failed')
  } else if (location !== '/callback/result/done') throw new Error(`the flow ended at ${location}`)
  const message = await client.next()
  if (message.type !== 'callback' || message.code !== code) throw new Error('the code did not arrive')
  return [state, code, resumeVerifier, resumeChallenge]
}

/** What looks like one of our secrets: anything long enough, between characters that none of them has. */
function tokensOf(text: string): Set<string> {
  return new Set(text.match(/[\w.-]{36,}/g) ?? [])
}

test(`[B-70] after ${FLOWS} flows no secret is in the log, in Redis or on the disk`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-secrets-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const work = join(folder, 'work')
  await mkdir(work)
  // Compressed, the dump would hide what it holds.
  await using redis = await startRedis({ args: ['--rdbcompression', 'no'] })
  const start = async (name: string, delivery: string) => {
    const gateway = await spawnGateway(
      {
        REDIS_URL: redis.url,
        TMPDIR: work,
        HOME: work,
        PATCHBAY_LOG_LEVEL: 'trace',
        PATCHBAY_GATEWAY_REGISTRATIONS_PER_ADDRESS: '100000',
        PATCHBAY_GATEWAY_DELIVERY: delivery,
      },
      { cwd: work },
    )
    const log = createWriteStream(join(folder, `${name}.log`))
    gateway.child.stdout?.pipe(log)
    gateway.child.stderr?.pipe(log)
    return gateway
  }
  const gateways = await Promise.all([start('direct', 'direct'), start('confirming', 'confirm')])
  await using direct = gateways[0]
  await using confirming = gateways[1]

  const secrets = new Set<string>()
  let begun = 0
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      while (begun < FLOWS) {
        begun += 1
        const confirms = begun % CONFIRMED_SHARE === 0
        const home = begun % 2 === 0 ? direct : confirming
        for (const secret of await runFlow(home, confirms ? confirming : direct, confirms))
          secrets.add(secret)
      }
    }),
  )
  // Some that are still pending: what Redis knows of a living registration counts as well.
  await using client = await direct.connect()
  for (let index = 0; index < 10; index += 1) {
    const state = randomUUID()
    const resumeChallenge = createHash('sha256').update(state).digest('base64url')
    await client.register(state, { resumeChallenge })
    secrets.add(state).add(resumeChallenge)
  }
  await redis.ask('SAVE')
  expect(secrets.size).toBe(4 * FLOWS + 20)

  const redisFolder = /\/\S+/.exec(await redis.ask('CONFIG GET dir'))?.[0] ?? ''
  const dump = (await readFile(join(redisFolder, 'dump.rdb'))).toString('latin1')
  expect(dump).toContain('pb:d:')
  const logs = (
    await Promise.all(['direct', 'confirming'].map((name) => readFile(join(folder, `${name}.log`), 'utf8')))
  ).join('\n')
  // The logs were on: each flow is in them, by its route.
  expect(logs.match(/"route":"\/callback"/g)?.length).toBeGreaterThanOrEqual(FLOWS)
  const written = await readdir(work, { recursive: true })
  expect(written).toEqual([])
  for (const [place, text] of [
    ['Redis', dump],
    ['the log', logs],
  ] as const) {
    const found = [...tokensOf(text)].filter((token) => [...secretsIn(token, secrets)].length > 0)
    expect({ place, found }).toEqual({ place, found: [] })
  }
}, 240_000)

/** Also where a secret is glued to something else. */
function* secretsIn(token: string, secrets: ReadonlySet<string>): Generator<string> {
  for (const length of [36, 41, 43]) {
    for (let start = 0; start + length <= token.length; start += 1) {
      const part = token.slice(start, start + length)
      if (secrets.has(part)) yield part
    }
  }
}
