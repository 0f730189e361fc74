import type { ReactNode } from 'react'

/** What the page about everyone with an account says. */
export const words = {
  page: {
    title: 'People',
    lead: 'Everyone with an account on this server.',
    signedOutLead: 'Sign in as an administrator to see who has an account here.',
    yourAccount: 'Your account',
  },
  notAdministrator: {
    title: 'This page is for administrators',
    detail: (link: ReactNode) => <>Your account is not an administrator. {link}</>,
    link: 'Back to your account',
  },
  accounts: {
    heading: 'Accounts',
    lead: 'Disabling an account ends its sessions and API keys for good. What it owns stays, unless you quarantine its packages.',
    list: 'Accounts',
    none: 'No one yet.',
    more: 'Show more people',
  },
  invite: {
    label: 'Invite someone',
    title: 'Invite someone',
    explanation:
      'Creates a link that lets one person create an account, whatever this server’s sign-up rule is.',
    makesAdministrator: 'Make them an administrator',
    submit: 'Create link',
  },
  invited: {
    label: 'Invitation link',
    warning: 'Copy the link now. It is not shown again.',
    advice: (expiry: ReactNode) => <>Whoever opens it first makes the account. It expires {expiry}.</>,
  },
  person: {
    you: 'You',
    administrator: 'Administrator',
    disabled: 'Disabled',
    created: (when: ReactNode) => <>Account created {when}</>,
  },
  endAccess: {
    label: 'End all access',
    fullLabel: (handle: string) => `End all access of ${handle}`,
    question: (handle: string) => `End all access of ${handle}?`,
    confirm: 'End all access',
    cancel: 'Cancel',
    consequence: (handle: string) =>
      `${handle} is signed out everywhere, and all API keys and invitations of this account end. The account stays enabled: ${handle} can sign in again.`,
    done: (handle: string) => `All access of ${handle} has ended.`,
  },
  disable: {
    label: 'Disable',
    fullLabel: (handle: string) => `Disable ${handle}`,
    question: (handle: string) => `Disable ${handle}?`,
    confirm: 'Disable the account',
    cancel: 'Keep it enabled',
    consequence:
      'All sessions and API keys of this account end at once. They do not come back when you enable the account again.',
    quarantine: (handle: string) => `Quarantine the packages of ${handle}`,
    quarantineReason: 'The account is disabled.',
  },
  enable: {
    label: 'Enable',
    fullLabel: (handle: string) => `Enable ${handle}`,
  },
}
