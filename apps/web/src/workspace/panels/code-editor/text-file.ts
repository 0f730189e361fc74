import { EDITOR_TEXT_LENGTH } from '@patchbay/contracts/limits'
import { withPlainLines } from './stored-text.ts'

export type OpenedFile = { readonly text: string } | { readonly refused: string }

/** The text of a file, or why it cannot be edited here. */
export async function readTextFile(file: File): Promise<OpenedFile> {
  // A character takes four bytes at most: what is larger need not be read.
  if (file.size > EDITOR_TEXT_LENGTH * 4) return tooLarge(file.name)
  try {
    const bytes = await file.arrayBuffer()
    const text = withPlainLines(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (text.length > EDITOR_TEXT_LENGTH) return tooLarge(file.name)
    return text.includes('\0') ? noText(file.name) : { text }
  } catch {
    return noText(file.name)
  }
}

function tooLarge(name: string): OpenedFile {
  return {
    refused: `${name} is too large: ${EDITOR_TEXT_LENGTH.toLocaleString('en')} characters can be edited here.`,
  }
}

function noText(name: string): OpenedFile {
  return { refused: `${name} is not a text file, or is not encoded as UTF-8.` }
}

/** Offers a text as a file to save. */
export function downloadText(text: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  link.download = fileName
  link.click()
  // At once some browsers would not have begun to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
