import { WEB_ADDRESS } from '@patchbay/contracts/panels'
import { words } from './words.ts'

export type TypedAddress = { readonly url: string } | { readonly refused: string }

const STORABLE = new RegExp(WEB_ADDRESS)
/** `example.com:8080` has a port there, and no scheme. */
const SCHEME = /^([a-z][a-z0-9+.-]*):(?!\d)/i
const THIS_COMPUTER = /^(?:localhost|[^/?#]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/?#]|$)/i

/** What a person typed, as an address that can be stored and shown, or why it is none. */
export function readAddress(typed: string): TypedAddress {
  const text = typed.trim()
  if (text === '') return { refused: words.address.missing }
  if (/\s/.test(text)) return { refused: words.address.spaces }
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https')
    return { refused: words.address.scheme(scheme) }
  return checked(scheme === undefined ? `${THIS_COMPUTER.test(text) ? 'http' : 'https'}://${text}` : text)
}

function checked(text: string): TypedAddress {
  const url = URL.parse(text)
  if (url === null || url.hostname === '') return { refused: words.address.none }
  if (url.username !== '' || url.password !== '') return { refused: words.address.password }
  if (!STORABLE.test(url.href)) return { refused: words.address.tooLong }
  return { url: url.href }
}

/** Browsers show no page over http inside one over https, except from this computer. */
export function isMixed(url: string, pageProtocol: string): boolean {
  const host = /^http:\/\/(.*)$/i.exec(url)?.[1]
  return pageProtocol === 'https:' && host !== undefined && !THIS_COMPUTER.test(host)
}
