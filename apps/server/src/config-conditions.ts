import type { CiServiceSettings, IssuerSettings } from '@patchbay/identity'
import type { Fault } from '@patchbay/kernel/config'
import { isLoopbackHost } from '@patchbay/kernel/http'
import type { Secret } from '@patchbay/kernel/log'

export interface ObjectsConfig {
  readonly objectsUrl: string | undefined
  readonly objectsAccessKeyId: string | undefined
  readonly objectsSecretAccessKey: Secret | undefined
}

export function objectsFaults(config: ObjectsConfig): Fault[] {
  const { objectsUrl, objectsAccessKeyId, objectsSecretAccessKey } = config
  if (objectsUrl?.startsWith('s3:') !== true) return []
  const missing = [
    ...(objectsAccessKeyId === undefined ? ['PATCHBAY_OBJECTS_ACCESS_KEY_ID'] : []),
    ...(objectsSecretAccessKey === undefined ? ['PATCHBAY_OBJECTS_SECRET_ACCESS_KEY'] : []),
  ]
  return missing.map((variable) => ({
    variable,
    wrong: 'is not set, but PATCHBAY_OBJECTS_URL names a bucket',
  }))
}

export interface SignInConfig {
  readonly publicUrl: string | undefined
  readonly issuers: readonly IssuerSettings[]
  readonly ciServices: readonly CiServiceSettings[]
}

/** Browsers keep our cookies, and offer passkeys, over TLS or on this machine alone: sign-in would fail without a word. */
export function signInFaults({ publicUrl, issuers, ciServices }: SignInConfig): Fault[] {
  const lists = [
    ['PATCHBAY_OIDC_ISSUERS', issuers],
    ['PATCHBAY_CI_ISSUERS', ciServices],
  ] as const
  return [
    ...(publicUrl !== undefined && isPlain(publicUrl)
      ? [{ variable: 'PATCHBAY_PUBLIC_URL', wrong: 'must begin with https:// unless it is on this machine' }]
      : []),
    ...lists.flatMap(([variable, list]) =>
      list
        .filter(({ issuer }) => isPlain(issuer))
        .map(({ id }) => ({
          variable,
          wrong: `gives "${id}" an address that does not begin with https://`,
        })),
    ),
  ]
}

function isPlain(address: string): boolean {
  return address.startsWith('http:') && !isLoopbackHost(new URL(address).hostname)
}
