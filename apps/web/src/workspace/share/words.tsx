import type { ReactNode } from 'react'

/** What the dialog says in which a workspace is shared with people. */
export const words = {
  open: 'Share',
  title: 'Share this workspace',
  loading: 'Loading who has access',
  roles: { viewer: 'Viewer', editor: 'Editor' },
  rolesExplained: 'Viewers can look at everything. Editors can also change it.',
  people: {
    heading: 'People with access',
    list: 'People with access',
    owner: 'Owner',
    ownerFact: 'Owns this workspace',
    organizationFact: 'Owns this workspace; its members have access too',
    you: 'You',
    roleOf: (handle: string) => `Role of ${handle}`,
    invitedBy: (handle: string, when: ReactNode) => (
      <>
        Added by {handle} {when}
      </>
    ),
    remove: 'Remove',
    removeWho: (handle: string) => `Remove ${handle}`,
    removeQuestion: (handle: string) => `Remove ${handle}?`,
    removeText: 'They lose access at once, on every device, with their keys.',
    leave: 'Leave',
    leaveQuestion: 'Leave this workspace?',
    leaveText: 'You lose access at once. To come back you need to be invited again.',
    cancel: 'Cancel',
    onlyOwner: 'Only the owner can add or remove people.',
  },
  add: {
    handle: 'Add by handle',
    role: 'Role',
    submit: 'Add',
    unknown: 'Nobody has this handle. Send a link instead: it works for people without an account, too.',
    isOwner: 'The workspace belongs to them.',
  },
  links: {
    heading: 'Invite with a link',
    lead: 'Whoever has the link can join, until it is used up or expires.',
    role: 'Role',
    expires: 'Expires after',
    uses: 'For',
    hours: { 1: '1 hour', 24: '1 day', 168: '7 days', 720: '30 days' } as Readonly<Record<number, string>>,
    people: (count: number) => (count === 1 ? '1 person' : `${count} people`),
    create: 'Create link',
    made: 'Copy the link now. It is not shown again.',
    link: 'Invitation link',
    list: 'Links that work',
    none: 'No links yet.',
    title: (role: string) => `${role} link`,
    usesLeft: (count: number) => (count === 1 ? '1 use left' : `${count} uses left`),
    ends: (when: ReactNode) => <>Expires {when}</>,
    by: (handle: string) => `By ${handle}`,
    revoke: 'Revoke',
    revokeWhich: (role: string) => `Revoke the ${role} link`,
  },
}
