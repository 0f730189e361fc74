/** Links that carry a secret, and the parameter that holds it; `#`: it is all that stands behind that. */
const SECRETS = { '/approve': 'token', '/welcome': 'invitation', '/join': '#' } as const
export type SecretPage = keyof typeof SECRETS

/** For browsers that refuse storage: it then holds until the page is reloaded. */
const kept = new Map<string, string>()

/**
 * Moves the secret of a link out of the address, before the router or anything else has read it: it stays out of the
 * history, of copied links and of reports. A reload, and the way back from an issuer, find it in the tab's storage.
 */
export function takeSecretFromAddress(): void {
  const url = new URL(location.href)
  if (takeSecretFrom(url)) history.replaceState(history.state, '', url)
}

/** Whether there was one: in the address itself, or in the one that a sign-in is to lead to. */
function takeSecretFrom(url: URL): boolean {
  const { searchParams } = url
  const page = url.pathname.replace(/\/+$/, '')
  const secret = isSecretPage(page) ? takeOut(url, SECRETS[page]) : null
  if (isSecretPage(page) && secret !== null && secret !== '') keep(page, secret)
  const returnTo = searchParams.get('return_to')
  const onward = returnTo === null ? null : URL.parse(returnTo, url.origin)
  if (onward?.origin !== url.origin || !takeSecretFrom(onward)) return secret !== null
  searchParams.set('return_to', onward.pathname + onward.search)
  return true
}

function takeOut(url: URL, parameter: string): string | null {
  if (parameter === '#') {
    const { hash } = url
    url.hash = ''
    return hash === '' ? null : hash.slice(1)
  }
  const secret = url.searchParams.get(parameter)
  url.searchParams.delete(parameter)
  return secret
}

function isSecretPage(path: string): path is SecretPage {
  return Object.hasOwn(SECRETS, path)
}

const storageKey = (page: SecretPage) => `patchbay.secret${page}`

function keep(page: SecretPage, secret: string): void {
  kept.set(page, secret)
  try {
    sessionStorage.setItem(storageKey(page), secret)
  } catch {
    // Refused: the map above has it.
  }
}

export function readSecret(page: SecretPage): string | undefined {
  try {
    return sessionStorage.getItem(storageKey(page)) ?? kept.get(page)
  } catch {
    return kept.get(page)
  }
}

/** Once it has served: a used link need not lie about in the tab. */
export function forgetSecret(page: SecretPage): void {
  kept.delete(page)
  try {
    sessionStorage.removeItem(storageKey(page))
  } catch {
    // It was never stored.
  }
}
