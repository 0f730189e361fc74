import { COMPAT_URL_PATTERN, CONTRACT_URL_PATTERN } from './patterns.ts'

const CONTRACT_URL = new RegExp(CONTRACT_URL_PATTERN, 'u')
const COMPAT_URL = new RegExp(COMPAT_URL_PATTERN, 'u')
const WEB_ADDRESS = /^https?:\/\/[^\s/]\S*$/iu

/** Whether the contract takes a text as URL. */
export function isContractUrl(text: string): boolean {
  return CONTRACT_URL.test(text)
}

/** Whether existing tools take a text as URL: more than they mean to, and a little less. */
export function isCompatUrl(text: string): boolean {
  return COMPAT_URL.test(text)
}

/**
 * The address behind a text that somebody put into metadata, if a person may be sent there: http or https, and no
 * user name, behind which `https://bank.example@evil.example` would hide its host. Nothing else becomes a link.
 */
export function linkOf(text: string): URL | undefined {
  if (!WEB_ADDRESS.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const isPlain = url.username === '' && url.password === ''
  return isPlain && (url.protocol === 'https:' || url.protocol === 'http:') ? url : undefined
}
