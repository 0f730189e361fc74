import { Problem } from '@patchbay/contracts/core'

/** Of the whole address, as it is stored. */
const LONGEST = 2_000

/** The page that a panel shows, spelt as browsers spell it. A name or password in it would be shown to everybody. */
export function readPageAddress(text: string): string {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'https:')
    throw new Problem('invalid_request', { detail: 'body/url is no https address.' })
  if (url.username !== '' || url.password !== '')
    throw new Problem('invalid_request', { detail: 'body/url holds a name or a password.' })
  if (url.href.length > LONGEST)
    throw new Problem('invalid_request', { detail: `body/url is longer than ${LONGEST} characters.` })
  return url.href
}
