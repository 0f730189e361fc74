import { createHash, createPrivateKey, sign } from 'node:crypto'
import type { DeviceCredential, Json } from './device.ts'

const USER_PRESENT_AND_VERIFIED = 0b101

/** What an authenticator with this key answers, at a count that Chromium's own would not choose. */
export function signAnswer(
  { credentialId, privateKey, userHandle, rpId = '' }: DeviceCredential,
  options: Json,
  origin: string,
  counter: number,
): Json {
  const clientData = Buffer.from(
    JSON.stringify({ type: 'webauthn.get', challenge: options['challenge'], origin, crossOrigin: false }),
  )
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  const authenticatorData = Buffer.concat([hash(rpId), Buffer.of(USER_PRESENT_AND_VERIFIED), count])
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
  const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  const signature = sign(digest, Buffer.concat([authenticatorData, hash(clientData)]), key)
  const id = Buffer.from(credentialId, 'base64').toString('base64url')
  return {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: Buffer.from(userHandle ?? '', 'base64').toString('base64url'),
    },
  }
}

function hash(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}
