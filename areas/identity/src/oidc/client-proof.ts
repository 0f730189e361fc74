import * as oidc from 'openid-client'

/** In a header, which every issuer must take unless it says otherwise, or else in the form. */
export function proofBySecret(secret: string): oidc.ClientAuth {
  const basic = oidc.ClientSecretBasic(secret)
  const post = oidc.ClientSecretPost(secret)
  return (server, client, body, headers) => {
    const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const prove = supported.includes('client_secret_basic') ? basic : post
    return prove(server, client, body, headers)
  }
}
