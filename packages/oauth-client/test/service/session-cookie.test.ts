import { expect, test } from 'vitest'
import { sessionCookie, sessionOf } from '../../src/service/connect-service.ts'

const session = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

test('[B-456] out of reach of scripts and of other sites; on TLS bound to the host', () => {
  expect(sessionCookie(session, true)).toBe(
    `__Host-patchbay-connect=${session}; Path=/; HttpOnly; SameSite=Lax; Max-Age=86400; Secure`,
  )
  expect(sessionCookie(session, false)).toBe(
    `patchbay-connect=${session}; Path=/; HttpOnly; SameSite=Lax; Max-Age=86400`,
  )
})

test.for([true, false])('[B-456] what was set is found again among others (TLS: %s)', (isSecure) => {
  const [pair = ''] = sessionCookie(session, isSecure).split(';')
  expect(sessionOf(`theme=dark; ${pair}; x=y`, isSecure)).toBe(session)
  expect(sessionOf(pair, !isSecure)).toBeUndefined()
})

test.for([undefined, '', 'patchbay-connect=', 'patchbay-connect=short', `xpatchbay-connect=${session}`])(
  '[B-456] %s holds no session',
  (header) => {
    expect(sessionOf(header, false)).toBeUndefined()
  },
)
