/** Offers a text as a file to save. */
export function downloadText(text: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  link.download = fileName
  link.click()
  // At once some browsers would not have begun to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
