import type { Coding } from './encoding.ts'

/** Strong, so each coding of the same content has its own. */
export function entityTag(sha256: string, coding: Coding = 'identity'): string {
  return coding === 'identity' ? `"${sha256}"` : `"${sha256}-${coding}"`
}

/**
 * Whether a client has the content already, in whatever coding. Compared weakly, as RFC 9110 has it for If-None-Match:
 * proxies that compress by themselves make a tag weak.
 */
export function hasContent(header: string | undefined, sha256: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((member) => isTagOf(member.trim(), sha256))
}

function isTagOf(member: string, sha256: string): boolean {
  const opaque = /^(?:W\/)?"([^"]*)"$/.exec(member)?.[1]
  return opaque === sha256 || (opaque !== undefined && opaque.startsWith(`${sha256}-`))
}
