/** Each begins at the start of the text and never looks back: content of any length takes one pass. */
const DELAY = /^\s*(\d{0,9})[\d.]*/
const SEPARATOR = /^(?:\s*[;,]|\s)/
const LABEL = /^url\s*=/i

export interface Refresh {
  readonly seconds: number
  /** As it is written; empty where the page loads itself again. */
  readonly to: string
}

/** What `<meta http-equiv=refresh content="5; url=next">` asks for. */
export function parseRefresh(content: string): Refresh | undefined {
  const [delay = '', digits = ''] = DELAY.exec(content) ?? []
  const rest = content.slice(delay.length)
  const seconds = Number(digits)
  if (rest.trim() === '') return { seconds, to: '' }
  const separator = SEPARATOR.exec(rest)?.[0]
  if (separator === undefined) return undefined
  const target = rest.slice(separator.length).trimStart()
  const label = LABEL.exec(target)?.[0] ?? ''
  return { seconds, to: unquoted(target.slice(label.length).trim()) }
}

function unquoted(text: string): string {
  const quote = text[0]
  if (quote !== '"' && quote !== "'") return text
  const end = text.indexOf(quote, 1)
  return text.slice(1, end === -1 ? undefined : end).trim()
}
