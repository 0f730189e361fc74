import type { WorkspaceRef } from '@patchbay/contracts/panels'

/** Names on the bus that files of a workspace have changed. */
export const filesKey = ({ owner, repo }: WorkspaceRef) => `files:${owner}/${repo}`
