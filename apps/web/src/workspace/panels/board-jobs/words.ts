/** What panels say about what KiCad does for them. */
export const words = {
  queued: 'Waiting for KiCad…',
  storing: 'Storing the results',
  times: (elapsed: string, typical: string | undefined) =>
    typical === undefined ? elapsed : `${elapsed} of about ${typical}`,
  seconds: (seconds: number) =>
    seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`,
  failed: {
    title: 'KiCad could not do it',
    text: 'KiCad gave no reason.',
    tooLong: 'It took too long.',
  },
  error: 'Error',
  warning: 'Warning',
  found: (errors: number, warnings: number, shown: number) =>
    errors + warnings === 0
      ? 'No rule is broken.'
      : `${count(errors, 'error')}, ${count(warnings, 'warning')}${shown < errors + warnings ? `; the first ${shown} are listed` : ''}`,
}

function count(amount: number, what: string): string {
  return `${amount.toLocaleString('en')} ${what}${amount === 1 ? '' : 's'}`
}
