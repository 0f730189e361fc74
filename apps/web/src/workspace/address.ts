import { handle } from '@patchbay/contracts/core'
import { repoName, type WorkspaceRef } from '@patchbay/contracts/panels'
import { textRule } from '../server/text-rule.ts'

const isHandle = textRule(handle)
const isRepo = textRule(repoName)

/** Which workspace a path names: `/workspaces/ada/lamp`. */
export function workspaceOf(pathname: string): WorkspaceRef | undefined {
  const [, area, owner = '', repo = '', ...rest] = pathname.replace(/\/$/, '').split('/')
  if (area !== 'workspaces' || rest.length > 0) return undefined
  try {
    const ref = { owner: decodeURIComponent(owner), repo: decodeURIComponent(repo) }
    return isHandle(ref.owner) && isRepo(ref.repo) ? ref : undefined
  } catch {
    // A percent sign that encodes nothing.
    return undefined
  }
}
