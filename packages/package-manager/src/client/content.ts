import { shownAddress } from './address.ts'
import type { Answer } from './answer.ts'
import { RepositoryFailure } from './failure.ts'

const PAGE_TYPE = /^(?:text\/html|application\/xhtml\+xml|multipart\/|image\/|audio\/|video\/)/i

/** A page of a proxy or of a login form, delivered with status 200 in place of the file. */
export function refusePages({ contentType, url }: Answer): void {
  if (contentType === undefined || !PAGE_TYPE.test(contentType)) return
  const shown = contentType.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 80)
  throw new RepositoryFailure(
    'wrong_content',
    `it is ${shown}; open the address in a browser to see what answers`,
    {
      url: shownAddress(url),
    },
  )
}

/** The text of a JSON document. What does not look like one never reaches a parser. */
export function jsonTextOf(bytes: Uint8Array, url: URL): string {
  const text = decodeText(bytes, url)
  const first = /\S/.exec(text)?.[0]
  if (first === '{' || first === '[') return text
  const what =
    first === undefined ? 'it is empty' : first === '<' ? 'it is a page, not JSON' : 'it is not JSON'
  throw new RepositoryFailure('wrong_content', `${what}; open the address in a browser to see what answers`, {
    url: shownAddress(url),
  })
}

function decodeText(bytes: Uint8Array, url: URL): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new RepositoryFailure(
      'malformed',
      'it is not UTF-8 text; whoever publishes it must save it as UTF-8',
      {
        url: shownAddress(url),
        cause: error,
      },
    )
  }
}
