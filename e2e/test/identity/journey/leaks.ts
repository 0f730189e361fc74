/** Words that only a secret of ours begins with. */
const NAMED = /\b(?:tok|bro|pbk)_[\w-]{8,}/g
/** 256 bits in base64url, whatever they are: a verifier never leaves its process, so no test can know it. */
const NAMELESS = /(?<![\w-])[\w-]{43}(?![\w-])/g

/** What of a text is a secret, known to the journey or not. */
export function leaksIn(text: string, secrets: Iterable<string>): string[] {
  const likely = [...(text.match(NAMED) ?? []), ...(text.match(NAMELESS) ?? [])]
  return [...new Set([...knownIn(text, secrets), ...likely])]
}

/** Addresses that hold a secret. Those of others may hold theirs, but none of ours. */
export function leakyAddresses(
  addresses: readonly string[],
  own: string,
  secrets: Iterable<string>,
): string[] {
  const all = [...secrets]
  const leaks = (address: string) => (address.startsWith(own) ? leaksIn(address, all) : knownIn(address, all))
  return addresses.filter((address) => leaks(address).length > 0)
}

function knownIn(text: string, secrets: Iterable<string>): string[] {
  return [...secrets].filter((secret) => secret !== '' && text.includes(secret))
}
