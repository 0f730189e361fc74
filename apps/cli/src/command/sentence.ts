import { stripHidden } from '@patchbay/primitives/text'

/** A library's message, which begins with a small letter and has no end. Names keep their spelling. */
export function sentence(message: string): string {
  const text = plainLines(message)
  const isWord = /^[a-z]+(?=[\s,]|$)/.test(text)
  return `${isWord ? text.charAt(0).toUpperCase() + text.slice(1) : text}${/[.!?]$/.test(text) ? '' : '.'}`
}

export function plainLines(text: string): string {
  return text.split('\n').map(stripHidden).join('\n')
}
