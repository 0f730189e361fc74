import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const PURPOSE = 'patchbay intent session'

/**
 * Status must answer the session token again, but a copy of the database must not hold it. It is sealed under the intent
 * token, which only the application and the person's browser have. Key and nonce come from the session as well, so no
 * pair is ever used for two texts.
 */
export function seal(intentToken: string, sessionTokenHash: Buffer, sessionToken: string): Buffer {
  const { key, nonce } = keyOf(intentToken, sessionTokenHash)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  return Buffer.concat([cipher.update(sessionToken, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** Throws when anything does not belong together. */
export function unseal(intentToken: string, sessionTokenHash: Buffer, sealed: Buffer): string {
  const { key, nonce } = keyOf(intentToken, sessionTokenHash)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8')
}

function keyOf(intentToken: string, salt: Buffer): { readonly key: KeyObject; readonly nonce: Buffer } {
  const bytes = Buffer.from(hkdfSync('sha256', intentToken, salt, PURPOSE, KEY_BYTES + NONCE_BYTES))
  // As a key object: from bytes the cipher makes one itself, at twice the price.
  return { key: createSecretKey(bytes.subarray(0, KEY_BYTES)), nonce: bytes.subarray(KEY_BYTES) }
}
