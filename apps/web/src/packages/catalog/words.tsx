import type { ReactNode } from 'react'
import { countOf } from '../../time/words.ts'

/** What the catalog says. */
export const words = {
  title: 'Packages',
  lead: 'Plugins, libraries and color themes for your design tool, published on this server.',
  filters: {
    label: 'Packages',
    search: {
      label: 'Search',
      placeholder: 'Name, tag, author, or what it does',
    },
    type: { label: 'Type', any: 'Any type' },
    platform: { label: 'Platform', any: 'Any platform' },
    toolVersion: {
      label: 'Tool version',
      placeholder: 'Any, for example 9.0',
      fault: 'One to three numbers with dots between them, such as 9.0.2.',
    },
    runtime: { label: 'Runtime', any: 'Any runtime' },
    status: { label: 'Status', any: 'Any status' },
    tag: 'Tag',
    publisher: 'Publisher',
    narrowing: (label: string, value: string) => `${label}: ${value}`,
    remove: (label: string, value: string) => `Remove the filter ${label}: ${value}`,
  },
  results: {
    found: 'Results',
    recent: 'Recently updated',
    label: 'Packages',
    searching: 'Searching for packages',
    more: 'More packages',
    countNone: 'No packages found',
    count: (count: number) => countOf(count, 'package'),
    countOfMore: (count: number) => `${countOf(count, 'package')} shown, there are more`,
  },
  nothingPublished: {
    title: 'No packages yet',
    text: 'No public packages have been published on this server. The first could be yours: sign in, and choose My packages in the menu of your account.',
  },
  nothingFound: {
    title: 'No packages match your search',
    text: 'Try fewer words, another spelling, or remove a filter.',
    showAll: 'Show all packages',
  },
  card: {
    by: (owner: ReactNode) => <>by {owner}</>,
    noVersion: 'No version',
  },
  wholeFeed: {
    title: 'Add all of these to your design tool',
    address: 'Repository address',
    tooLarge: 'There are too many packages here for one list that a design tool can read.',
    instead:
      'Add the repositories of the publishers that you need: the address is on each publisher’s page. The command on a package’s page, and the sparse files of single packages, work as well.',
  },
}
