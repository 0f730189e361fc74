/** The owner of the feed of the whole installation: no handle is empty. */
export const INSTALLATION = ''
