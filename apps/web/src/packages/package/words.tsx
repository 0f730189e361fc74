import type { ReactNode } from 'react'

/** What the page of a package says. */
export const words = {
  loading: 'Loading the package',
  missing: {
    title: 'Package not found',
    reason: 'No public package has this identifier',
    text: 'If it is private and belongs to you or your organization, sign in and come back.',
    searchAll: 'Search all packages',
  },
  header: {
    allPackages: 'Packages',
    by: (owner: ReactNode) => <>by {owner}</>,
    private: 'Private',
    deprecated: 'Deprecated',
    quarantined: 'Quarantined',
    delisted: 'Delisted',
  },
  about: 'About',
  details: 'Details',
  facts: {
    license: 'License',
    category: 'Category',
    author: 'Author',
    maintainer: 'Maintainer',
    tags: 'Tags',
  },
  install: {
    title: 'Install',
    titleOfDelisted: 'Compatibility',
    commandLine: 'On the command line',
    address: 'Repository address',
    privateAddress: 'Private repository address',
    privateFeed: (owner: string, apiKeysLink: ReactNode) => (
      <>
        It needs an API key: programs send one with the scope <code>{`packages:${owner}/*`}</code> in the
        header <code>X-Api-Key</code>. Whoever may publish for {owner} makes it under {apiKeysLink}. A design
        tool that cannot send a header cannot read this address: use the command, after{' '}
        <code>patchbay login</code>.
      </>
    ),
    apiKeys: 'API keys',
  },
  target: {
    toolVersion: 'Your tool version',
    toolVersionExample: '9.0',
    toolVersionFault: 'Numbers with dots, such as 9.0.2.',
    platform: 'Your platform',
  },
  fit: {
    askForTarget: 'Enter the version of your design tool to see what fits.',
    place: (toolVersion: string, platform: string) => `tool ${toolVersion} on ${platform}`,
    nothingOffered: 'Nothing to install',
    nothing: (place: string) => `Nothing fits ${place}`,
    why: (version: string, reasons: string) => `${version}: ${reasons}`,
    onlyDeprecated: (version: string) => `Only version ${version} fits, and it is deprecated`,
    aboutDeprecated: (place: string) =>
      `Its author no longer recommends it, but nothing else works with ${place}.`,
    version: (version: string) => `Version ${version} fits`,
    aboutUnstable: (place: string, status: string) =>
      `No stable version works with ${place}. This one is marked as ${status}.`,
    aboutStable: (place: string) => `The latest stable version that works with ${place}.`,
  },
  marks: {
    private: {
      title: 'This package is private',
      text: (owner: string) =>
        `Only those who may read packages of ${owner} see it. It is in their private feed, and in no search.`,
    },
    deprecated: {
      title: 'This package is deprecated',
      text: 'Its author no longer recommends any version. Look for another package before you install it.',
    },
    yanked: {
      title: 'Every version is yanked',
      text: 'No version of this package is offered anymore. A version can still be installed by its number.',
    },
    delisted: {
      title: 'This package is delisted',
      text: 'It is in no feed and in no search. Whoever knows its archives can still download them.',
    },
  },
  delist: {
    label: 'Delist the package',
    question: (identifier: string) => `Delist ${identifier}?`,
    text: 'It leaves every feed and the search within seconds. Nothing is deleted: whoever has installed it keeps it, and you can list it again.',
    confirm: 'Delist it',
    cancel: 'Keep it listed',
    done: 'The package is delisted.',
  },
  listAgain: {
    label: 'List it again',
    question: (identifier: string) => `List ${identifier} again?`,
    text: 'It comes back with all its versions into the feeds, and into the search if it is public.',
    confirm: 'List it',
    cancel: 'Keep it delisted',
    done: 'The package is listed again.',
  },
  quarantined: {
    title: 'This package is quarantined',
    text: (when: ReactNode) => <>An administrator took it out of feeds, search and downloads {when}.</>,
    textForStrangers:
      'An administrator of this server took it out of feeds, search and downloads. If you have installed it, remove it unless you know better.',
  },
  takeDown: {
    label: 'Quarantine the package',
    question: (identifier: string) => `Quarantine ${identifier}?`,
    text: 'It leaves feeds, search and downloads within 5 seconds. Whoever has installed it keeps it. You can release it again.',
    reason: 'Reason',
    reasonHint: 'Visible to everyone.',
    confirm: 'Quarantine it',
    cancel: 'Leave it',
    done: 'The package is quarantined.',
  },
  release: {
    label: 'Release it',
    question: (identifier: string) => `Release ${identifier}?`,
    text: 'It comes back as its owner had it, with all its versions.',
    confirm: 'Release it',
    cancel: 'Keep it quarantined',
    done: 'The package is released.',
  },
  versions: {
    title: 'Versions',
    caption: (identifier: string) => `All versions of ${identifier}`,
    none: 'No version is published.',
    headers: {
      version: 'Version',
      worksWith: 'Works with',
      fit: 'For you',
      published: 'Published',
      size: 'Size',
      hash: 'SHA-256',
      archive: 'Archive',
      change: 'Change',
    },
    yanked: 'Yanked',
    by: (publisher: string) => `by ${publisher}`,
    builtFrom: (service: string) => `Built on ${service} from`,
    commit: (beginning: string) => `at ${beginning}`,
    installed: (size: string) => `${size} installed`,
    download: 'Download',
    downloadVersion: (version: string) => `Download version ${version}`,
    fits: 'Fits',
    doesNotFit: 'Does not fit',
    notOffered: 'Not offered',
  },
  hash: {
    copy: (version: string) => `Copy the SHA-256 of version ${version}`,
    copied: (version: string) => `SHA-256 of version ${version} copied.`,
    copyByHand: 'Could not access the clipboard. Copy it manually.',
  },
  status: {
    label: 'Status',
    labelOf: (version: string) => `Change the status of version ${version}`,
    choices: (version: string) => `What version ${version} becomes`,
    choice: (status: string) => `Mark as ${status.toLowerCase()}`,
    done: (version: string, status: string) => `Version ${version} is ${status.toLowerCase()} now.`,
  },
  yank: {
    label: 'Yank',
    labelOf: (version: string) => `Yank version ${version}`,
    question: (version: string) => `Yank version ${version}?`,
    text: 'Feeds, search and installations stop offering it within seconds. Whoever has it keeps it, and it can still be installed by its number.',
    reason: 'Reason (optional)',
    reasonHint: 'Visible to everyone.',
    confirm: 'Yank it',
    cancel: 'Keep it offered',
    done: (version: string) => `Version ${version} is yanked.`,
  },
  unyank: {
    label: 'Offer again',
    labelOf: (version: string) => `Offer version ${version} again`,
    question: (version: string) => `Offer version ${version} again?`,
    text: 'It comes back into feeds and search, and is chosen again where it fits best.',
    confirm: 'Offer it again',
    cancel: 'Keep it yanked',
    done: (version: string) => `Version ${version} is offered again.`,
  },
  delete: {
    label: 'Delete',
    labelOf: (version: string) => `Delete version ${version}`,
    question: (version: string) => `Delete version ${version}?`,
    text: 'Nobody else has downloaded it yet. It cannot be brought back, and this version number can never be published again with other content.',
    confirm: 'Delete it',
    done: (version: string) => `Version ${version} is deleted.`,
  },
}
