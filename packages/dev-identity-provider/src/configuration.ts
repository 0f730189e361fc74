import { randomBytes } from 'node:crypto'
import type { Configuration } from 'oidc-provider'
import { messagePage, type OidcAccount, PAGE_HEADERS } from './pages.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

/** How the provider behaves. What is left to the library's defaults here, it would warn about at run time. */
export function oidcConfiguration(
  accounts: ReadonlyMap<string, OidcAccount>,
  rememberConsent: boolean,
): Configuration {
  return {
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    clientBasedCORS: () => false,
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      // Cookies know no ports: the application under test shares this host, so the names must not be its own.
      names: { session: 'idp_session', interaction: 'idp_interaction', resume: 'idp_resume' },
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource(context, form) {
          const button =
            '<button class="main" form="op.logoutForm" name="logout" value="yes">Sign out</button>'
          context.set(PAGE_HEADERS)
          context.body = messagePage('Sign out?', 'You leave the development sign-in.', form + button)
        },
        postLogoutSuccessSource(context) {
          context.set(PAGE_HEADERS)
          context.body = messagePage('Signed out', 'You can close this page.')
        },
      },
    },
    findAccount(_context, sub) {
      const account = accounts.get(sub)
      if (account === undefined) return undefined
      return { accountId: sub, claims: () => ({ ...account, email_verified: true }) }
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant({ oidc }) {
      const remembered =
        rememberConsent && oidc.client !== undefined
          ? oidc.session?.grantIdFor(oidc.client.clientId)
          : undefined
      const grantId = oidc.result?.consent?.grantId ?? remembered
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId)
    },
    pkce: { required: () => true },
    renderError(context, { error, error_description: description }) {
      context.set(PAGE_HEADERS)
      context.body = messagePage('Something went wrong', `${error}: ${description ?? 'no details'}`)
    },
    rotateRefreshToken: true,
    ttl: {
      AccessToken: HOUR,
      Grant: DAY,
      IdToken: HOUR,
      Interaction: HOUR,
      RefreshToken: DAY,
      Session: DAY,
    },
  }
}
