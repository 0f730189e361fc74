/** What the web view says. */
export const words = {
  bar: {
    label: 'Web view',
    back: 'Back',
    forward: 'Forward',
    reload: 'Reload',
    address: 'Address',
    addressExample: 'example.com',
    proxy: 'Proxy',
    hide: 'Hide the address bar',
    show: 'Show the address bar',
  },
  frame: (title: string, host: string) => `${title}: ${host}`,
  none: {
    title: 'No page yet',
    text: 'Type an address above, or the path of a file of this workspace such as /site/index.html.',
    viewOnly: 'No page has been opened yet.',
  },
  openingProxy: 'Opening the proxy',
  openingFile: 'Opening the file',
  hint: {
    http: 'Pages over http need the proxy here.',
    notShowing: 'Page not showing?',
    turnOn: 'Turn on the proxy',
    close: 'Close this hint',
  },
  scroll: {
    label: 'Scroll position',
    pixels: (pixels: number) => `Scrolled ${pixels} pixels`,
    percent: (percent: number) => `Scrolled ${percent} %`,
  },
  noProxy: {
    title: 'The proxy is not enabled on this server',
    text: 'The page is shown directly. Sites that forbid frames stay empty.',
    noFiles:
      'Files of the workspace can only be shown from its isolated origin. Ask the operator to set PATCHBAY_PROXY_URL.',
  },
  blocked: {
    title: 'The proxy only reads pages',
    form: 'What you filled in was not sent. Turn the proxy off, or open the page in a tab of its own.',
    other: 'The proxy blocked an action of this page.',
  },
  /** For whoever sent the command. */
  waiting: {
    tooMany: 'too many wait for this panel',
    late: (revision: number) => `revision ${revision} did not come in time`,
  },
}
