import { PAGE_CSP, PROBLEMS, Problem } from '@patchbay/contracts/core'
import { PROBLEM_ADVICE } from '@patchbay/contracts/problem-advice'
import { atLatest, deepTest } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { Secret } from '../../src/log/index.ts'
import { startHttp } from './harness.ts'

const headers = { host: 'localhost' }
const dead = { name: 'database', ping: () => Promise.reject(new Problem('database_unavailable')) }
const hung = { name: 'bus', ping: () => new Promise<void>(() => {}) }
const fine = { name: 'objects', ping: () => Promise.resolve() }

test('[K-211] /health is 200 whatever became of the engines', async () => {
  await using http = startHttp({ checks: [dead, hung], vitals: () => ({ pending: 3 }) })
  const answer = await http.app.inject({ url: '/health', headers })
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toMatchObject({ status: 'ok', pending: 3, uptime_seconds: expect.any(Number) })
})

deepTest('[K-212] /ready names the engines that do not answer, within 2 s', async () => {
  await using http = startHttp({ checks: [dead, hung, fine] })
  const begun = performance.now()
  const answer = await http.app.inject({ url: '/ready', headers })
  // The ping that hangs hangs forever; how busy the machine is must not decide the common run.
  expect(performance.now() - begun).toBeLessThan(atLatest(2_000))
  expect(answer.statusCode).toBe(503)
  expect(answer.json()).toEqual({
    ready: false,
    draining: false,
    checks: { database: 'failed', bus: 'failed', objects: 'ok' },
  })
})

test('[K-212] /ready is 200 when every engine answers', async () => {
  await using http = startHttp({ checks: [fine] })
  expect((await http.app.inject({ url: '/ready', headers })).statusCode).toBe(200)
})

test('[K-213] metrics are by route pattern and status', async () => {
  await using http = startHttp()
  http.app.get('/things/:id', async () => 'x')
  const url = await http.listen()
  await fetch(`${url}/things/tok_secret?key=tok_secret`)
  const text = await (await fetch(`${url}/metrics`)).text()
  expect(text).toMatch(
    /patchbay_http_request_duration_seconds_count\{process="test",method="GET",route="\/things\/:id",status="200"\} 1/,
  )
  expect(text).toMatch(/_bucket\{.*le="\+Inf".*\} 1/)
  expect(text).toContain('nodejs_eventloop_lag_seconds')
  expect(text).not.toContain('tok_secret')
})

test('[K-241] metrics say which engines answer, within the time of /ready', async () => {
  await using http = startHttp({ checks: [dead, hung, fine] })
  const text = await (await fetch(`${await http.listen()}/metrics`)).text()
  expect(text.split('\n').filter((line) => line.startsWith('patchbay_check_ok'))).toEqual([
    'patchbay_check_ok{check="database",process="test"} 0',
    'patchbay_check_ok{check="bus",process="test"} 0',
    'patchbay_check_ok{check="objects",process="test"} 1',
  ])
})

test('[K-213] addresses that no route has are counted together', async () => {
  await using http = startHttp()
  const url = await http.listen()
  await fetch(`${url}/nothing/tok_secret`)
  await fetch(`${url}/health`, { method: 'DELETE' })
  await fetch(`${url}/%zz`)
  const text = await (await fetch(`${url}/metrics`)).text()
  expect(text).toContain('_count{process="test",method="GET",route="(none)",status="404"} 1')
  expect(text).toContain('_count{process="test",method="DELETE",route="(none)",status="405"} 1')
  expect(text).toContain('_count{process="test",method="GET",route="(none)",status="400"} 1')
})

test('[K-213] metrics are for loopback peers that are no proxy', async () => {
  await using http = startHttp()
  const url = await http.listen()
  expect((await fetch(`${url}/metrics`)).status).toBe(200)
  expect((await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.9' } })).status).toBe(404)
})

test('[K-213] with a token, the token alone decides', async () => {
  await using http = startHttp({ metricsToken: new Secret('open-sesame') })
  const url = await http.listen()
  expect((await fetch(`${url}/metrics`)).status).toBe(404)
  expect((await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer open-sesamf' } })).status).toBe(
    404,
  )
  const answer = await fetch(`${url}/metrics`, {
    headers: { authorization: 'Bearer open-sesame', 'x-forwarded-for': '203.0.113.9' },
  })
  expect(answer.status).toBe(200)
})

test('[K-214] the document describes the routes that were made from endpoints', async () => {
  await using http = startHttp()
  const document = (await http.app.inject({ url: '/openapi.json', headers })).json()
  expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Test', version: '1.2.3' } })
  expect(Object.keys(document.paths)).toEqual(['/health', '/ready'])
})

test('[K-214] the page shows them without a script', async () => {
  await using http = startHttp()
  const page = await http.app.inject({ url: '/reference', headers })
  expect(page.headers['content-type']).toMatch(/^text\/html/)
  expect(page.body).toContain('<code>/ready</code>')
  expect(page.body).not.toMatch(/<script|<style|style=/)
  expect((await http.app.inject({ url: '/reference.css', headers })).statusCode).toBe(200)
})

test('[K-730] the type of a refusal leads to a page without a script that says what to do', async () => {
  await using http = startHttp()
  const refusal = await http.app.inject({ url: '/nothing', headers })
  const page = await http.app.inject({ url: refusal.json().type, headers })
  expect(page.statusCode).toBe(200)
  expect(page.headers).toMatchObject({
    'content-type': expect.stringMatching(/^text\/html/),
    'content-security-policy': PAGE_CSP,
  })
  const { cause, fix } = PROBLEM_ADVICE.not_found
  for (const text of [
    '<code>not_found</code>',
    'HTTP status 404',
    ...sentencesOf(cause),
    ...sentencesOf(fix),
  ])
    expect(page.body).toContain(text)
  expect(page.body).not.toMatch(/<script|<style|style=/)
})

test.each(['nothing', '__proto__', 'constructor', '%3Cb%3E'])(
  '[K-730] %s is no code, and not found',
  async (code) => {
    await using http = startHttp()
    const answer = await http.app.inject({ url: `/problems/${code}`, headers })
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
  },
)

test('[K-730][K-731] every page in the list is there', async () => {
  await using http = startHttp()
  const list = await http.app.inject({ url: '/problems', headers })
  expect(list.headers['content-security-policy']).toBe(PAGE_CSP)
  expect(list.body).not.toMatch(/<script|<style|style=/)
  const links = [...list.body.matchAll(/href="(\/problems\/[^"]+)"/g)].map(([, link]) => link ?? '')
  expect(links.map((link) => link.replace('/problems/', '')).toSorted()).toEqual(
    Object.keys(PROBLEMS).toSorted(),
  )
  for (const url of links) {
    const page = await http.app.inject({ url, headers })
    expect({ url, status: page.statusCode }).toEqual({ url, status: 200 })
    // Everything in backticks became code.
    expect({ url, page: page.body }).toEqual({ url, page: expect.not.stringContaining('`') })
  }
})

test('[K-217] no path parameter and no query reaches a log', async () => {
  await using http = startHttp()
  http.app.get('/things/:id', async () => {
    throw new Problem('not_found')
  })
  await http.app.inject({ url: '/things/tok_secret?key=tok_secret', headers })
  await http.app.inject({ url: '/nothing/tok_secret', headers })
  expect(http.lines.join('')).toContain('/things/:id')
  expect(http.lines.join('')).not.toContain('tok_secret')
})

test('[K-235] the log line of an answer is as loud as what happened', async () => {
  await using http = startHttp()
  const codes = [
    'not_found',
    'internal_error',
    'issuer_unavailable',
    'database_unavailable',
    'deadline_exceeded',
    'sharing_not_enabled',
    'sharing_declined',
  ] as const
  for (const code of codes)
    http.app.get(`/${code}`, async () => {
      throw new Problem(code)
    })
  for (const code of codes) await http.app.inject({ url: `/${code}`, headers })
  await http.app.inject({ url: '/health', headers })
  const lines = http.lines.map((line) => JSON.parse(line) as { msg: string; status: number; level: string })
  expect(lines.filter(({ msg }) => msg === 'request').map(({ status, level }) => [status, level])).toEqual([
    [404, 'info'],
    [500, 'error'],
    [502, 'warn'],
    [503, 'error'],
    [504, 'warn'],
    [504, 'info'],
    [504, 'info'],
    [200, 'debug'],
  ])
})

test('[K-222] a node that announces its draining is not ready, and still serves', async () => {
  await using http = startHttp()
  const url = await http.listen()
  http.announceDrain()
  const ready = await fetch(`${url}/ready`)
  expect([ready.status, await ready.json()]).toEqual([503, expect.objectContaining({ draining: true })])
  const health = await fetch(`${url}/health`)
  expect([health.status, health.headers.get('connection')]).toEqual([200, 'keep-alive'])
})

/** As they are on a page, without what is code in them. */
function sentencesOf(text: string): readonly string[] {
  return text.split(/`[^`]*`/).filter((part) => !/["&<>]/.test(part))
}
