import { beforeAll, expect, test } from 'vitest'
import { type ClientServer, sharedClientServer } from '../client/start-server.ts'
import { newHandle } from '../installation/accounts.ts'
import { logInWithCurl, logInWithFetch } from './contract-client.ts'
import { signIn } from './signed-in.ts'

let server: ClientServer
beforeAll(async () => {
  server = await sharedClientServer()
})

test('[C-13] a login with curl: create, open the page, poll every two seconds', async () => {
  const { url, databaseUrl } = server
  const person = await signIn(databaseUrl, newHandle(), url)
  expect(await logInWithCurl(url, person)).toMatch(/^tok_/)
})

test('[C-13] a login with fetch: create without a body, wait for the event', async () => {
  const { url, databaseUrl } = server
  const person = await signIn(databaseUrl, newHandle(), url)
  expect(await logInWithFetch(url, person)).toMatch(/^tok_/)
})
