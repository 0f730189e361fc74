import type { CallbackQuery } from '@patchbay/contracts/gateway'

export interface IssuerRule {
  /** The `issuer` of the authorization server's metadata. */
  readonly issuer?: string
  /** Set it when the metadata says `authorization_response_iss_parameter_supported`. */
  readonly requireIss?: boolean
}

/**
 * The mix-up attack (RFC 9207): a person who uses two providers, one of them hostile, starts at the hostile one, which
 * sends them on to the honest one with this flow's state. The honest code then comes back to a flow that would take
 * it to the hostile token endpoint. Each provider names itself in `iss`, which the hostile one cannot change.
 */
export function comesFromIssuer({ issuer, requireIss = false }: IssuerRule, query: CallbackQuery): boolean {
  const { iss } = query
  if (iss === undefined) return !requireIss
  return issuer === undefined || iss === issuer
}
