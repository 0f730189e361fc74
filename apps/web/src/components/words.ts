/** What components say by themselves. */
export const words = {
  button: {
    pending: 'Working',
  },
  copyField: {
    copy: 'Copy',
    copied: 'Copied',
    copyWhat: (label: string) => `Copy: ${label}`,
    isCopied: 'Copied to the clipboard.',
    copyByHand: 'Could not access the clipboard. The text is selected: press Ctrl+C or ⌘C.',
  },
  dataTable: {
    empty: 'Nothing here yet.',
  },
  dialog: {
    close: 'Close',
  },
  field: {
    required: 'required',
  },
  link: {
    newTab: '(opens in a new tab)',
  },
  toast: {
    dismiss: 'Dismiss',
  },
}
