// Run by an old Node from a folder that holds the packed package: what a stranger would write, in plain JavaScript.
import { Credentials, startOAuthFlow, TokenKeeper } from '@patchbay/oauth-client'
import { waitUntilConfigured } from '@patchbay/oauth-client/browser'
import { createConnectHandler } from '@patchbay/oauth-client/http'

const { GATEWAY: gatewayUrl, ISSUER: issuer, FOLDER: folder } = process.env
const credentials = new Credentials({ clientId: 'board', clientSecret: 'a secret for tests only' })
const tokens = new TokenKeeper({ provider: 'example', tokenUrl: `${issuer}/token`, credentials, folder })
const flow = await startOAuthFlow({
  provider: 'example',
  authUrl: `${issuer}/auth`,
  clientId: 'board',
  scopes: 'openid offline_access',
  extraParams: { prompt: 'consent' },
  gatewayUrl,
  issuer,
})
process.stdout.write(`open ${flow.authRedirectUrl}\n`)
await tokens.redeem('ada', await flow.waitForCode())
await tokens.getAccessToken('ada')
const rejected = await tokens.getAccessToken('ada')
const renewed = await tokens.getAccessToken('ada', { rejected })
const parts = [typeof createConnectHandler, typeof waitUntilConfigured]
process.stdout.write(`done ${process.version} renewed=${renewed !== rejected} ${parts.join(' ')}\n`)
