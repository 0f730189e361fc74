const NODE_ID = /^[\w.-]{1,64}$/

/** A node id becomes part of keys, hash tags and message headers: a space or brace in it would break all three. */
export function isNodeId(id: string): boolean {
  return NODE_ID.test(id)
}

export function checkNodeId(id: string): void {
  if (!isNodeId(id)) throw new TypeError('a node id is 1 to 64 letters, digits, or _ . -')
}
