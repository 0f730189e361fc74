import type { ReactNode } from 'react'

/** What the page of workspaces says. */
export const words = {
  title: 'Workspaces',
  lead: 'A workspace is a browser tab full of panels that you, your scripts and your agents work in together.',
  checkingSignIn: 'Checking your sign-in',
  loading: 'Loading your workspaces',
  signedOut: {
    title: 'Sign in to see your workspaces',
    text: 'Workspaces belong to a person or an organization, and only their members see them.',
    signIn: 'Sign in to your workspaces',
    services: 'What each service does',
  },
  new: {
    label: 'New workspace',
    owner: 'Owner',
    repository: 'Repository',
    opensAt: (address: string) => `Opens at ${address}`,
    wrongName: 'Letters, digits, dots, underscores and hyphens, up to 100 of them.',
    template: 'Start from',
    empty: 'Empty',
    emptyLead: 'No panels and no files.',
    create: 'Create and open',
  },
  list: {
    own: 'Your workspaces',
    ownLead: 'Those that belong to you.',
    of: (owner: string) => `Workspaces of ${owner}`,
    memberLead: 'You see them as a member of the organization.',
    none: 'None yet.',
    empty: 'Empty',
    panels: (count: number) => `${count} ${count === 1 ? 'panel' : 'panels'}`,
    changed: (when: ReactNode) => <>Changed {when}</>,
    showMore: 'Show more',
    shared: 'Shared with you',
    sharedLead: 'Workspaces of others that you were invited to.',
    roles: { viewer: 'Viewer', editor: 'Editor' },
    invitedBy: (handle: string) => `Invited by ${handle}`,
  },
}
