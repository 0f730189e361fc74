/** Somebody with an account. */
export interface Account {
  readonly personId: string
  readonly handle: string
  readonly displayName: string
  readonly isAdmin: boolean
}

export function presentAccount({ handle, displayName, isAdmin }: Account) {
  return { handle, display_name: displayName, is_admin: isAdmin }
}

/** The first 128 bits of a secret as a UUID (version 4), for a person whose id must be known before the row is. */
export function uuidFrom(secret: string): string {
  const bytes = Buffer.from(secret, 'base64url').subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export function uuidBytes(uuid: string): Buffer<ArrayBuffer> {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}
