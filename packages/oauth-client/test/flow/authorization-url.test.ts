import { describe, expect, test } from 'vitest'
import { authorizationUrl, checkAuthorizationRequest } from '../../src/flow/authorization-url.ts'

const request = { authUrl: 'https://id.example.test/authorize', clientId: 'board', scopes: 'read write' }
const flow = {
  redirectUri: 'https://gateway.example.test/callback',
  state: '5f1c0c1e-6f0f-4a53-9d58-0a4d2b4b7e11',
  codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
}

describe('the address that the person is sent to', () => {
  test('[B-400] has everything the provider needs, and every extra parameter', () => {
    const url = new URL(authorizationUrl({ ...request, extraParams: { prompt: 'consent' } }, flow))
    expect(url.origin + url.pathname).toBe('https://id.example.test/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'board',
      redirect_uri: 'https://gateway.example.test/callback',
      scope: 'read write',
      state: flow.state,
      code_challenge: flow.codeChallenge,
      code_challenge_method: 'S256',
      prompt: 'consent',
    })
  })

  test('[B-400] keeps the parameters that the authorization URL has', () => {
    const authUrl = 'https://id.example.test/authorize?tenant=a%2Bb'
    expect(new URL(authorizationUrl({ ...request, authUrl }, flow)).searchParams.get('tenant')).toBe('a+b')
  })

  test('[B-400] separates scopes in the way that every provider reads', () => {
    expect(authorizationUrl(request, flow)).toContain('scope=read%20write&')
    expect(authorizationUrl({ ...request, scopes: 'a+b' }, flow)).toContain('scope=a%2Bb&')
    expect(authorizationUrl({ ...request, scopes: '' }, flow)).not.toContain('scope=')
  })

  test.for([
    'response_type',
    'client_id',
    'redirect_uri',
    'scope',
    'state',
    'code_challenge',
    'code_challenge_method',
    'request',
    'request_uri',
  ])('[B-403] %s cannot be set from outside', (key) => {
    const extra = () => authorizationUrl({ ...request, extraParams: { [key]: 'x' } }, flow)
    const within = () => authorizationUrl({ ...request, authUrl: `${request.authUrl}?${key}=x` }, flow)
    for (const attempt of [extra, within]) {
      expect(attempt).toThrow(TypeError)
      expect(attempt).toThrow(new RegExp(`\\b${key}\\b`))
    }
  })

  test.for([
    ['plain http', 'http://id.example.test/authorize'],
    ['another scheme', 'javascript:alert(1)'],
    ['credentials', 'https://ada:secret@id.example.test/authorize'],
    ['a fragment', 'https://id.example.test/authorize#part'],
    ['no address', 'id.example.test'],
  ])('[B-404] an authorization URL with %s is refused, and not repeated', ([, authUrl = '']) => {
    const attempt = () => checkAuthorizationRequest({ ...request, authUrl })
    expect(attempt).toThrow(TypeError)
    expect(attempt).toThrow(/^authUrl /)
    expect(attempt).not.toThrow(/secret/)
  })

  test.for(['http://127.0.0.1:9000/a', 'http://localhost/a', 'http://id.localhost/a', 'http://[::1]:9/a'])(
    '[B-404] %s never leaves this machine',
    (authUrl) => {
      expect(checkAuthorizationRequest({ ...request, authUrl }).href).toBe(authUrl)
    },
  )
})
