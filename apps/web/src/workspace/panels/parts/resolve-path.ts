/**
 * A path that a file of a folder names, from the top of the workspace: beside it unless it begins with a slash.
 * `undefined` for one that leads out of the workspace.
 */
export function resolvePath(folder: string, path: string): string | undefined {
  const parts = path.startsWith('/') || folder === '' ? [] : folder.split('/')
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined
    if (part !== '' && part !== '.' && part !== '..') parts.push(part)
  }
  return parts.join('/')
}
