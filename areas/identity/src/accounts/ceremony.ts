/** What each kind of ceremony remembers between its two requests. Never a token of an issuer. */
export interface CeremonyData {
  readonly oidc: {
    readonly issuer: string
    readonly state: string
    readonly nonce: string
    readonly verifier: string
    readonly returnTo: string
    readonly invitation: InvitationReference
    /** Hash of the session that the browser had when it left; its cookie does not come back with it from another site. */
    readonly former: string | null
  }
  readonly 'sign-up': {
    readonly issuer: string
    readonly subject: string
    readonly issuerName: string
    readonly handle: string
    readonly displayName: string
    readonly returnTo: string
    readonly invitation: InvitationReference
  }
  readonly 'passkey-sign-in': { readonly challenge: string }
  readonly 'passkey-sign-up': {
    readonly challenge: string
    readonly personId: string
    readonly handle: string
    readonly displayName: string
    readonly invitation: InvitationReference
  }
  readonly passkey: { readonly challenge: string; readonly personId: string }
}

export type CeremonyKind = keyof CeremonyData

/** The hash of an invitation's secret as base64url; null without an invitation. */
export type InvitationReference = string | null

export const CEREMONY_SECONDS = 600

interface CeremonyCookie {
  readonly name: `__Host-${string}`
  readonly sameSite: 'Strict' | 'Lax'
}

/** One each, so that a passkey prompt in one tab does not end a sign-in with an issuer in another. */
export const CEREMONY_COOKIES: Readonly<Record<CeremonyKind, CeremonyCookie>> = {
  // Lax: the issuer's site sends the browser to these.
  oidc: { name: '__Host-patchbay-oidc', sameSite: 'Lax' },
  'sign-up': { name: '__Host-patchbay-sign-up', sameSite: 'Lax' },
  'passkey-sign-in': { name: '__Host-patchbay-passkey-sign-in', sameSite: 'Strict' },
  'passkey-sign-up': { name: '__Host-patchbay-passkey-sign-up', sameSite: 'Strict' },
  passkey: { name: '__Host-patchbay-passkey', sameSite: 'Strict' },
}
