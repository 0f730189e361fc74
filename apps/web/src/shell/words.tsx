import type { ReactNode } from 'react'

/** What stands around every page, and in place of one that is not there. */
export const words = {
  product: 'Patchbay',
  tabTitle: (title: string) => `${title} · Patchbay`,
  skip: 'Skip to content',
  loading: 'Loading the page',
  goHome: 'Go to the home page',
  topBar: {
    home: 'Patchbay, home',
  },
  navigation: {
    label: 'Primary',
    menu: 'Menu',
    home: 'Home',
    workspaces: 'Workspaces',
    packages: 'Packages',
    account: 'Account',
  },
  footer: {
    license: 'Patchbay is open source under Apache-2.0.',
    label: 'For developers',
    reference: 'Documentation',
    openApi: 'OpenAPI',
    health: 'Health',
    components: 'Components',
  },
  broken: {
    tabTitle: 'Something broke',
    lamp: 'Fault on this page',
    heading: 'This page stopped working',
    lead: 'Patchbay itself is fine, and so is everything you saved. Reload to try again. If it happens twice, the details below help whoever looks into it.',
    reload: 'Reload the page',
    copy: 'Copy details',
    copied: 'Copied',
    copyRefused: {
      title: 'Could not access the clipboard',
      detail: 'Select the text below and copy it by hand.',
    },
    details: 'Details of the fault',
  },
  notFound: {
    heading: 'Page not found',
    lead: (path: ReactNode) => <>{path} leads nowhere. It may be mistyped, or what was here has moved.</>,
  },
}
