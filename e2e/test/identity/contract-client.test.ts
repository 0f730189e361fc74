import { beforeAll, test } from 'vitest'
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
  await logInWithCurl(url, await signIn(databaseUrl, newHandle(), url))
})

test('[C-13] a login with fetch: create without a body, wait for the event', async () => {
  const { url, databaseUrl } = server
  await logInWithFetch(url, await signIn(databaseUrl, newHandle(), url))
})
