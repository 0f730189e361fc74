/** What the parts that panels share say. */
export const words = {
  address: {
    missing: 'Type an address, such as example.com.',
    spaces: 'An address has no spaces in it.',
    scheme: (scheme: string) => `Only http and https addresses can be shown, not ${scheme}.`,
    none: 'This is not an address.',
    password: 'An address with a password in it would be stored where others read it.',
    noFile: 'Type the path of a file of this workspace, such as /site/index.html.',
    tooLong: 'This address is too long.',
  },
}
