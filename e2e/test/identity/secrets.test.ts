import { createHash, randomBytes } from 'node:crypto'
import { depth } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { candidatesIn, dumpDatabase, dumpRedis } from './dumps.ts'
import { startFleet } from './servers.ts'
import { type SignedIn, signIn } from './signed-in.ts'

const LOGINS = depth({ common: 3, deep: 12 })

/** One login from the intent to the token, with every secret that was part of it. */
async function logIn(urls: readonly string[], person: SignedIn, index: number): Promise<readonly string[]> {
  const [url = '', other = url] = index % 2 === 0 ? urls : urls.toReversed()
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const isBare = index % 3 === 0
  const created = await fetch(`${url}/auth/intents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(isBare ? { label: 'bare' } : { label: 'verified', code_challenge: challenge }),
  })
  const caller = created.headers.get('set-cookie')?.split(/[=;]/)[1] ?? ''
  const { token } = (await created.json()) as { token: string }
  const headers: Record<string, string> = isBare ? {} : { 'intent-verifier': verifier }
  const status = `${other}/auth/intents/${token}/status`
  const stream = fetch(status, { headers: { ...headers, accept: 'text/event-stream' } })
  await fetch(status, { headers })
  await person.decide(url, token)
  const told = await (await stream).text()
  const sessionToken = /tok_[\w-]+/.exec(told)?.[0] ?? ''
  const whoami = await fetch(`${url}/auth/whoami`, { headers: { authorization: `Bearer ${sessionToken}` } })
  if (whoami.status !== 200) throw new Error(`the login failed: ${told}`)
  return [token, sessionToken, sessionToken.slice(4), caller, ...(isBare ? [] : [verifier])]
}

test('[C-61] a copy of the database, of Redis and of the logs holds no secret and authenticates nobody', {
  timeout: 120_000,
}, async () => {
  await using fleet = await startFleet(depth({ common: 1, deep: 2 }), {
    PATCHBAY_INTENTS_PER_MINUTE: '100000',
  })
  const urls = fleet.nodes.map(({ url }) => url)
  const [url = ''] = urls
  const person = await signIn(fleet.databaseUrl, 'ada', fleet.publicUrl, { isAdmin: true })
  const secrets = new Set([person.token, person.token.slice(4), person.csrf])
  for (let index = 0; index < LOGINS; index += 1) {
    for (const secret of await logIn(urls, person, index)) secrets.add(secret)
  }
  // Pending, declined and failing ones leave traces, too.
  for (const decision of ['decline', undefined] as const) {
    const { token } = (await (await fetch(`${url}/auth/intents`, { method: 'POST' })).json()) as {
      token: string
    }
    secrets.add(token)
    await fetch(`${url}/auth/intents/${token}/status`, { headers: { 'intent-verifier': 'x'.repeat(43) } })
    if (decision !== undefined) await person.decide(url, token, decision)
  }
  const made = await person.change('POST', `${url}/auth/keys`, { name: 'script', scopes: ['panels:ada/*'] })
  const { key } = (await made.json()) as { key: string }
  expect((await fetch(`${url}/auth/whoami`, { headers: { 'x-api-key': key } })).status).toBe(200)
  const invited = await person.change('POST', `${url}/auth/invitations`)
  const { url: link } = (await invited.json()) as { url: string }
  secrets.add(key).add(new URL(link).searchParams.get('invitation') ?? '')

  const database = await dumpDatabase(fleet.databaseUrl)
  const redis = await dumpRedis(fleet.redis)
  const logs = fleet.logs()
  expect(database).toContain('verified')
  expect(logs.match(/"route":"\/auth\/intents\/:token\/status"/g)?.length).toBeGreaterThanOrEqual(LOGINS)
  expect(secrets.has('')).toBe(false)
  for (const [place, text] of Object.entries({ database, redis, logs })) {
    expect({ place, found: [...secrets].filter((secret) => text.includes(secret)) }).toEqual({
      place,
      found: [],
    })
  }

  const opened: string[] = []
  for (const candidate of candidatesIn(database + redis)) {
    const text = encodeURIComponent(candidate).slice(0, 90)
    const answers = await Promise.all([
      ...['', 'tok_', 'bro_'].map((prefix) =>
        fetch(`${url}/auth/whoami`, { headers: { authorization: `Bearer ${prefix}${text}` } }),
      ),
      ...['', 'bro_', 'tok_'].map((prefix) =>
        fetch(`${url}/auth/whoami`, { headers: { cookie: `__Host-patchbay-session=${prefix}${text}` } }),
      ),
      ...['', 'pbk_'].map((prefix) =>
        fetch(`${url}/auth/whoami`, { headers: { 'x-api-key': prefix + text } }),
      ),
      fetch(`${url}/auth/intents/${text}`),
      fetch(`${url}/auth/intents/${text}/status`),
    ])
    for (const answer of answers) {
      await answer.arrayBuffer()
      if (answer.ok) opened.push(candidate)
    }
  }
  expect(opened).toEqual([])
})
