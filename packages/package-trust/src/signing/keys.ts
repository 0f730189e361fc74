import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'

/** What a root tells about a key. */
export interface PublicKey {
  readonly id: string
  /** The 32 bytes of the key in hexadecimal digits. */
  readonly hex: string
}

/** A new private key in PKCS8 PEM. */
export function createSigningKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** The public half of a private key, or of a public one in SPKI PEM, so that a private key need not travel. */
export function publicKeyOf(pem: string): PublicKey {
  const { x } = refuseOtherKinds(createPublicKey(pem)).export({ format: 'jwk' })
  if (x === undefined) throw new TypeError('The key has no public half')
  const hex = Buffer.from(x, 'base64url').toString('hex')
  return { id: keyIdOf(hex), hex }
}

/** As TUF metadata spells a key. */
export function describeKey({ hex }: PublicKey): {
  keytype: string
  keyval: { public: string }
  scheme: string
} {
  return { keytype: 'ed25519', keyval: { public: hex }, scheme: 'ed25519' }
}

/** A private key that was read: reading it again takes as long as signing with it. */
export interface PreparedKey {
  readonly id: string
  /** In hexadecimal digits. */
  readonly sign: (bytes: Uint8Array) => string
}

export function prepareKey(pem: string): PreparedKey {
  const key = refuseOtherKinds(createPrivateKey(pem))
  return { id: publicKeyOf(pem).id, sign: (bytes) => sign(undefined, bytes, key).toString('hex') }
}

/** The order of the fields is that of canonical JSON: another one would give ids that no other client computes. */
function keyIdOf(hex: string): string {
  return createHash('sha256')
    .update(JSON.stringify(describeKey({ id: '', hex })))
    .digest('hex')
}

function refuseOtherKinds(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType === 'ed25519') return key
  throw new TypeError(`The key is ${key.asymmetricKeyType ?? 'of an unknown kind'}; ed25519 is needed`)
}
