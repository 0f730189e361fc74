// Run by an old Node from a folder that holds the packed package: what a stranger would write, in plain JavaScript.
import { login, logout, whoami } from '@patchbay/client'
import { openCredentials } from '@patchbay/client/credentials'

const { SERVER: baseUrl, FOLDER: folder } = process.env
const { sessionToken } = await login({
  baseUrl,
  label: 'a stranger',
  onPrompt: ({ authUrl }) => {
    process.stdout.write(`open ${authUrl}\n`)
  },
})
const credentials = openCredentials(folder)
await credentials.store(baseUrl, { sessionToken, handle: null, expiresAt: null })
const stored = await credentials.find(baseUrl)
const { handle } = await whoami({ baseUrl, sessionToken: stored.sessionToken })
const ended = await logout({ baseUrl, sessionToken })
process.stdout.write(`done ${process.version} ${handle} ${ended}\n`)
