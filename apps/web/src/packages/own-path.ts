/**
 * The path of a file that this server has. It names itself by its public address, which the policy refuses where
 * somebody uses the server by another name.
 */
export function ownPath(address: string): string {
  return URL.parse(address, location.origin)?.pathname ?? '/'
}
