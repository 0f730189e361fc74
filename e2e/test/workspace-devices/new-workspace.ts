import type { User } from '@patchbay/cli/test/user'
import { connectWorkspace, type WorkspaceDevices } from '@patchbay/client/workspaces'
import { expect } from 'vitest'
import type { Installation } from '../workspace-cli/installation.ts'

/** A workspace of ada's without devices, and a client for those that it will have. */
export async function newWorkspace(
  site: Installation,
  ada: User,
): Promise<{ name: string; devices: WorkspaceDevices }> {
  const name = site.newWorkspace()
  expect((await ada.run('workspace', 'make', name)).code).toBe(0)
  const [owner = '', repo = ''] = name.split('/')
  const apiKey = await site.apiKey('panels:ada/*', 'devices:command:ada/*')
  return { name, devices: connectWorkspace({ baseUrl: site.url, owner, repo, apiKey }).devices }
}
