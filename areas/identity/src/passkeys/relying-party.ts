/** Whom passkeys are made for. It follows from the public URL alone: a passkey is bound to it for good. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
  readonly name: string
}

export function relyingPartyOf(publicUrl: string): RelyingParty {
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, origin, name: 'Patchbay' }
}

/** Loaded when somebody uses a passkey: with what it needs it is a tenth of what a server loads. */
export const loadWebAuthn = () => import('@simplewebauthn/server')
