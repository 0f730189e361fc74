/** What the parts that several pages share say by themselves. */
export const words = {
  confirmButton: {
    cancel: 'Keep it',
  },
  formDialog: {
    done: 'Done',
    cancel: 'Cancel',
  },
  entries: {
    loading: (label: string) => `Loading: ${label}`,
  },
  sizes: {
    one: '1 byte',
    units: ['bytes', 'kB', 'MB', 'GB'],
  },
}
