import type { MemberRole, ScopeArea } from '@patchbay/contracts/identity'
import type { ReactNode } from 'react'
import { countOf } from '../../time/words.ts'

interface ScopeWords {
  /** What a key with it may do. */
  readonly may: string
  /** Names the field. */
  readonly target: string
  readonly help: (owner: string) => string
  readonly all: (owner: string) => string
  readonly one: (owner: string, name: string) => string
}

/** What the account page says. */
export const words = {
  page: {
    title: 'Account',
    lead: 'How you sign in, which applications act for you, and the keys your scripts use.',
    signedOutLead: 'Sign in to see your sessions, passkeys and keys, and the applications that act for you.',
    administrator: 'Administrator',
    people: 'People',
    signOut: 'Sign out',
  },
  sessions: {
    heading: 'Sessions',
    lead: 'Browsers and applications that act for you. End what you do not know; it stops at once.',
    list: 'Your sessions',
    none: 'No sessions.',
    more: 'Show more sessions',
    unnamedApplication: 'An application without a name',
    thisBrowser: 'This browser',
    application: 'Application',
    new: 'New',
    opened: (when: ReactNode) => <>Opened {when}</>,
    lastUsed: (when: ReactNode) => <>Last used {when}</>,
    ends: (when: ReactNode) => <>Ends {when}</>,
    end: {
      label: 'End',
      fullLabel: (name: string) => `End the session of ${name}`,
      question: 'End this session?',
      confirm: 'End the session',
      consequence: (name: string) => (
        <>
          <bdi>{name}</bdi> stops acting for you at once, and must be signed in again.
        </>
      ),
      done: 'Session ended.',
    },
    endOthers: {
      label: 'End all others',
      question: 'End all other sessions?',
      confirm: 'End all others',
      cancel: 'Keep them',
      consequence:
        'Every browser but this one, and every application, must be signed in again. API keys keep working.',
      done: (count: number) => `${countOf(count, 'session')} ended.`,
    },
  },
  passkeys: {
    heading: 'Passkeys',
    lead: 'Each signs you in from a device or a password manager. A second one gets you in when the first is lost.',
    list: 'Your passkeys',
    none: 'No passkey yet. You sign in through an identity provider.',
    synced: 'Synced',
    added: (when: ReactNode) => <>Added {when}</>,
    neverUsed: 'Never used',
    lastUsed: (when: ReactNode) => <>Last used {when}</>,
    add: {
      label: 'Add a passkey',
      title: 'Add a passkey',
      submit: 'Create passkey',
      name: {
        label: 'Name',
        description: 'Helps you recognize it later: the device or the password manager.',
        placeholder: 'Work laptop',
      },
      done: 'Passkey added.',
    },
    remove: {
      label: 'Remove',
      fullLabel: (name: string) => `Remove the passkey ${name}`,
      question: 'Remove this passkey?',
      confirm: 'Remove the passkey',
      consequence: (name: string) => (
        <>
          Nobody can sign in with <bdi>{name}</bdi> anymore. Your device may still offer it; delete it there
          as well.
        </>
      ),
      done: 'Passkey removed.',
    },
  },
  apiKeys: {
    heading: 'API keys',
    lead: 'For scripts and builds that nobody signs in. A key may do what you choose for it, and nothing else.',
    list: 'Your API keys',
    none: 'No API keys yet. Create one for a script or a build server.',
    over: 'Expired',
    neverUsed: 'Never used',
    lastUsed: (when: ReactNode) => <>Last used {when}</>,
    neverExpires: 'Never expires',
    expired: (when: ReactNode) => <>Expired {when}</>,
    expires: (when: ReactNode) => <>Expires {when}</>,
    create: {
      label: 'Create a key',
      title: 'Create an API key',
      submit: 'Create key',
      name: {
        label: 'Name',
        description: 'What the key is for.',
        placeholder: 'Nightly build',
      },
      expiry: {
        label: 'Expires after',
        days30: '30 days',
        days90: '90 days',
        days365: '1 year',
        never: 'Never',
      },
    },
    created: {
      label: 'The key',
      warning: 'Copy the key now. It is not shown again.',
      advice: 'Treat it like a password: anyone who has it can do what you selected, in your name.',
      forCommand: 'For the patchbay command, in a shell or a build',
      forPrograms: 'For other programs, as a header of every request',
    },
    revoke: {
      label: 'Revoke',
      fullLabel: (name: string) => `Revoke the key ${name}`,
      question: 'Revoke this key?',
      confirm: 'Revoke the key',
      consequence: (name: string) => (
        <>
          Whatever uses <bdi>{name}</bdi> stops working at once. A revoked key does not come back.
        </>
      ),
      done: 'Key revoked.',
    },
  },
  scopes: {
    legend: 'What the key can do (scopes)',
    area: 'Area',
    malformed: (owner: string) => `Write it as ${owner}/name, or ${owner}/* for all.`,
    add: 'Add a scope',
    remove: (scope: string) => `Remove the scope ${scope}`,
    areas: {
      packages: {
        may: 'Packages: publish and read',
        target: 'Owner and package',
        help: (owner) =>
          `${owner}/* stands for every package of ${owner}, ${owner}/com.example.blinky for a single one.`,
        all: (owner) => `All packages of ${owner}`,
        one: (owner, name) => `The package ${name} of ${owner}`,
      },
      panels: {
        may: 'Panels: all of it',
        target: 'Owner and repository',
        help: (owner) =>
          `${owner}/* stands for the panels of every repository of ${owner}, ${owner}/board for those of a single one.`,
        all: (owner) => `All panels of ${owner}`,
        one: (owner, name) => `Panels of ${owner}/${name}`,
      },
      workspace: panelWords('Panels: layout', 'Layout'),
      webview: panelWords('Panels: web views', 'Web views'),
      sandbox: panelWords('Panels: sandboxes', 'Sandboxes'),
      screenshot: panelWords('Panels: screenshots', 'Screenshots'),
      'files:read': panelWords('Files: read', 'Reading the files'),
      'files:write': panelWords('Files: read and change', 'Reading and changing the files'),
      'devices:read': panelWords('Devices: read', 'Reading the devices'),
      'devices:command': panelWords('Devices: read and command', 'Reading and commanding the devices'),
    } satisfies Record<ScopeArea, ScopeWords>,
  },
  organizations: {
    heading: 'Organizations',
    lead: 'They own workspaces and packages, so that these do not depend on one person.',
    list: 'Your organizations',
    none: 'You’re not in any organization yet.',
    members: (count: number) => countOf(count, 'member'),
    create: {
      label: 'Create an organization',
      title: 'Create an organization',
      submit: 'Create',
      handleDescription:
        'Lowercase letters, digits and hyphens. Used in addresses; it cannot be changed later.',
      name: {
        label: 'Name',
        description: 'The name shown on pages.',
      },
      done: 'Organization created.',
    },
  },
  members: {
    open: 'Members',
    fullOpen: (organization: string) => `Members of ${organization}`,
    title: (organization: string) => `Members of ${organization}`,
    list: (organization: string) => `Members of ${organization}`,
    none: 'No members yet.',
    you: 'You',
    roleOf: (person: string) => `Role of ${person}`,
    leave: 'Leave',
    fullLeave: 'Leave the organization',
    remove: 'Remove',
    fullRemove: (person: string) => `Remove ${person}`,
    add: {
      handle: 'Person’s handle',
      unknownHandle: 'No one here has this handle.',
      role: 'Role',
      submit: 'Add',
    },
  },
  roles: {
    member: 'Member',
    maintainer: 'Maintainer',
    owner: 'Owner',
  } satisfies Record<MemberRole, string>,
}

/** For one part of a workspace. */
function panelWords(may: string, what: string): ScopeWords {
  return {
    may,
    target: 'Owner and repository',
    help: (owner) => `${owner}/* stands for every workspace of ${owner}, ${owner}/board for a single one.`,
    all: (owner) => `${what} of all workspaces of ${owner}`,
    one: (owner, name) => `${what} of ${owner}/${name}`,
  }
}
