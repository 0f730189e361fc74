import { expect, test } from 'vitest'
import { proofBySecret } from '../../src/oidc/issuer-clients.io.ts'

const server = { issuer: 'https://issuer.example' }
const client = { client_id: 'patchbay' }

function proved(supported: string[] | undefined): {
  readonly header: string | null
  readonly form: string | null
} {
  const body = new URLSearchParams()
  const headers = new Headers()
  const metadata =
    supported === undefined ? server : { ...server, token_endpoint_auth_methods_supported: supported }
  proofBySecret('s3cret')(metadata, client, body, headers)
  return { header: headers.get('authorization'), form: body.get('client_secret') }
}

test.for([
  [undefined, { header: `Basic ${btoa('patchbay:s3cret')}`, form: null }],
  [['client_secret_post', 'client_secret_basic'], { header: `Basic ${btoa('patchbay:s3cret')}`, form: null }],
  [['client_secret_post'], { header: null, form: 's3cret' }],
] as const)('[C-145] the secret goes where the issuer takes it: %j', ([supported, expected]) => {
  expect(proved(supported === undefined ? undefined : [...supported])).toEqual(expected)
})
