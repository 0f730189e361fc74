/** Puts a text into the clipboard, by the first way that works. Where none does it stays selected in its place. */
export async function copyText(text: string, place: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // A frame of another origin has no right to it, and plain HTTP no such thing.
    return copyByCommand(text, place)
  }
}

/** The old way, which needs a press and no permission. */
function copyByCommand(text: string, place: HTMLElement): boolean {
  // Some browsers copy nothing unless something is selected.
  getSelection()?.selectAllChildren(place)
  let isTaken = false
  const give = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
    isTaken = true
  }
  document.addEventListener('copy', give, { capture: true })
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else is left where this is reached
    const isCopied = document.execCommand('copy') && isTaken
    if (isCopied) getSelection()?.removeAllRanges()
    return isCopied
  } catch {
    return false
  } finally {
    document.removeEventListener('copy', give, { capture: true })
  }
}
