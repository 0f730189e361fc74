import { FILE_ADDRESS_START, WEBVIEW_ADDRESS } from '@patchbay/contracts/panels'
import type { PanelState } from '../../panel-definition.ts'
import { readAddress, type TypedAddress } from './address.ts'
import { words } from './words.ts'

const STORABLE = new RegExp(WEBVIEW_ADDRESS)

/** What a web view shows a file of the workspace under. */
export function addressOfFile(path: string): string {
  return FILE_ADDRESS_START + path.split('/').map(encodeURIComponent).join('/')
}

/** The path of a file, percent-encoded, with what may follow it; `undefined` for an address of the web. */
export function pathInAddress(address: string): string | undefined {
  return address.startsWith(FILE_ADDRESS_START) ? address.slice(FILE_ADDRESS_START.length) : undefined
}

/** What a web view shows once a file was opened in it; not one that shows a page of the web. */
export function withFilePage(path: string): (shown: PanelState) => PanelState | undefined {
  return ({ url }) =>
    typeof url === 'string' && pathInAddress(url) === undefined ? undefined : { url: addressOfFile(path) }
}

/** What a person typed into a web view: an address of the web, or with a slash in front a file of the workspace. */
export function readWebviewAddress(typed: string): TypedAddress {
  const text = typed.trim()
  const isFile = text.startsWith('/') || text.toLowerCase().startsWith(FILE_ADDRESS_START.slice(0, -1))
  if (!isFile) return readAddress(typed)
  const { href } = URL.parse(text.startsWith('/') ? `workspace:${text}` : text) ?? {}
  if (href === undefined || !href.startsWith(FILE_ADDRESS_START)) return { refused: words.address.none }
  return STORABLE.test(href) ? { url: href } : { refused: words.address.noFile }
}
