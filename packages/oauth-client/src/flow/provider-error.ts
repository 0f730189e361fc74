import type { CallbackQuery } from '@patchbay/contracts/gateway'
import { displayText } from '@patchbay/primitives/text'
import { OAuthFlowError } from './flow-error.ts'

const LONGEST_TEXT = 500

const MISCONFIGURED =
  'The provider does not accept how this service asked. Whoever runs the service has to correct its settings with the provider.'
const BUSY = 'The provider has a problem of its own right now. Try again in a few minutes.'

const EXPLANATIONS: Readonly<Record<string, string>> = {
  access_denied:
    'Access was not granted. Either it was canceled on the provider’s page, or the application is in testing mode ' +
    'there and your account is not on its list of test users: ask whoever runs this service to add you.',
  invalid_client: MISCONFIGURED,
  invalid_request: MISCONFIGURED,
  invalid_scope: MISCONFIGURED,
  unauthorized_client: MISCONFIGURED,
  unsupported_response_type: MISCONFIGURED,
  server_error: BUSY,
  temporarily_unavailable: BUSY,
}

/** What the provider said, with a sentence for the person who stands before it. */
export function providerError(error: string, query: CallbackQuery = {}): OAuthFlowError {
  // Anybody can put anything into a callback's address: control characters would forge lines of a log.
  const named = displayText(typeof query['error'] === 'string' ? query['error'] : error, LONGEST_TEXT)
  const description = query['error_description']
  return new OAuthFlowError('provider_error', {
    reason: 'provider_error',
    error: named,
    detail: named,
    explanation: explanationOf(named),
    ...(typeof description === 'string' ? { errorDescription: displayText(description, LONGEST_TEXT) } : {}),
  })
}

/** What an error code of a provider means to the person who gets it. */
export function explanationOf(error: string): string {
  const known = Object.hasOwn(EXPLANATIONS, error) ? EXPLANATIONS[error] : undefined
  return known ?? `The provider answered “${error}” instead of granting access.`
}
