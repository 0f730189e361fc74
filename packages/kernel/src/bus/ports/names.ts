import type { DirectoryOptions } from './bus.ts'

const NODE_ID = /^[\w.-]{1,64}$/

/** A node id becomes part of keys, hash tags and message headers: a space or brace in it would break all three. */
export function isNodeId(id: string): boolean {
  return NODE_ID.test(id)
}

export function checkNodeId(id: string): void {
  if (!isNodeId(id)) throw new TypeError('a node id is 1 to 64 letters, digits, or _ . -')
}

/** A topic is part of a message's header: a space in it would pass for the end of it. */
export function checkTopic(topic: string): void {
  if (!/^[\w.:-]{1,64}$/.test(topic)) throw new TypeError('a topic is 1 to 64 letters, digits, or _ . : -')
}

/** Epoch and seal become parts of a stored line and of message headers: a space in them would pass for the end. */
export function checkEpoch(epoch: string): void {
  if (!/^[\w.-]{1,64}$/.test(epoch)) throw new TypeError('an epoch is 1 to 64 letters, digits, or _ . -')
}

export function checkSeal(seal: string): void {
  if (!/^[\w-]{1,32}$/.test(seal)) throw new TypeError('a seal is 1 to 32 letters, digits, or _ -')
}

/** `opened`: what the directory of this name was opened with before, if it was. */
export function checkDirectoryOptions(
  name: string,
  { ttlMs, tombstoneMs }: DirectoryOptions,
  opened: DirectoryOptions | undefined,
): void {
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new TypeError('a directory name is 1 to 64 letters, digits, or _ . -')
  for (const value of [ttlMs, tombstoneMs]) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`directory ${name}: lifetimes are whole milliseconds`)
  }
  if (opened !== undefined && (opened.ttlMs !== ttlMs || opened.tombstoneMs !== tombstoneMs))
    throw new TypeError(`directory ${name} is open with other lifetimes`)
}
