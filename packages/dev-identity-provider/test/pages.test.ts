import { createHash } from 'node:crypto'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { startOidcProvider } from '../src/index.ts'
import { authorizationRequest, CALLBACK, Person, type SeenPage } from './person.ts'

test('[TK-408] the pages run no script and load nothing, and their policy says so', async () => {
  await using provider = await startOidcProvider({ clients: [{ id: 'app', redirectUris: [CALLBACK] }] })
  const person = new Person()
  const chooser = await person.open(authorizationRequest(provider.issuer).url)
  const consent = await person.press(chooser, 'login', { account: 'ada' })
  const signOut = await person.open(new URL('/session/end', provider.issuer))
  const refusal = await person.open(authorizationRequest(provider.issuer, { client_id: 'nobody' }).url)
  for (const page of [chooser, consent, signOut, refusal]) {
    expect(harm(page)).toBeNull()
    expect(page.headers.get('content-security-policy')).toContain(onlyStyleOf(page))
    expect(page.html).toContain('name="viewport"')
  }
})

test('[TK-408] names of people and applications are shown as text', async () => {
  const hostile = '<script>alert(1)</script>"\'&'
  await using provider = await startOidcProvider({
    clients: [{ id: 'app', name: hostile, redirectUris: [CALLBACK] }],
    accounts: [{ sub: '"><b>', email: hostile, name: hostile }],
  })
  const person = new Person()
  const chooser = await person.open(authorizationRequest(provider.issuer).url)
  const consent = await person.press(chooser, 'login', { account: '"><b>' })
  for (const page of [chooser, consent]) {
    expect(harm(page)).toBeNull()
    expect(page.html).toContain('&#60;script&#62;alert(1)')
  }
})

test('[TK-408] a page that has ended says so', async () => {
  await using provider = await startOidcProvider({ clients: [{ id: 'app', redirectUris: [CALLBACK] }] })
  const chooser = await new Person().open(authorizationRequest(provider.issuer).url)
  const withoutCookies = await new Person().open(chooser.url)
  expect(withoutCookies).toMatchObject({ status: 400, html: expect.stringContaining('start again') })
})

test('[TK-409] nothing is printed, from start through sign-in to sign-out', async () => {
  const script = `
    const { startOidcProvider } = await import('@patchbay/dev-identity-provider')
    const { Person, authorizationRequest, CALLBACK, redeem, askUserinfo } = await import(${JSON.stringify(import.meta.resolve('./person.ts'))})
    await using provider = await startOidcProvider({ clients: [{ id: 'app', redirectUris: [CALLBACK] }] })
    const person = new Person()
    const attempt = authorizationRequest(provider.issuer, { scope: 'openid offline_access', prompt: 'consent' })
    const tokens = await redeem(provider.issuer, await person.signIn(attempt), attempt)
    const { sub } = await askUserinfo(provider.issuer, tokens)
    await person.open(new URL('/session/end', provider.issuer))
    await person.open(new URL('/no-such-page', provider.issuer))
    process.exitCode = sub === 'ada' ? 0 : 1`
  await using journey = startProcess(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    cwd: import.meta.dirname,
  })
  await waitUntil('the journey to end', () => journey.child.exitCode !== null, { deadlineMs: 20_000 })
  expect({ code: journey.child.exitCode, output: journey.output() }).toEqual({ code: 0, output: '' })
})

/** The first thing on a page that runs or loads something. */
function harm({ html }: SeenPage): RegExpExecArray | null {
  return /<script|<link|<img|<iframe|\son\w+=|url\(|@import|javascript:/i.exec(html)
}

function onlyStyleOf({ html }: SeenPage): string {
  const style = /<style>([^]*?)<\/style>/.exec(html)?.[1] ?? ''
  return `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}';`
}
