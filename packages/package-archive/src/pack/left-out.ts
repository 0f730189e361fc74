/** Why a file of a folder is not in its archive. */
export type LeftOutReason = 'hidden' | 'leftover' | 'not_installed'

export interface LeftOut {
  /** From the folder, with `/` at the end of folders that were left out whole. */
  readonly path: string
  readonly why: LeftOutReason
}

/** What editors, file managers and Python leave behind. */
const LEFTOVERS = [
  /~$/,
  /^#.*#$/,
  /\.(?:swp|swo|bak|orig|rej|tmp)$/i,
  /^(?:__pycache__|__MACOSX)$/,
  /^(?:thumbs\.db|desktop\.ini)$/i,
]

export function whyLeftOut(name: string): LeftOutReason | undefined {
  if (name.startsWith('.')) return 'hidden'
  return LEFTOVERS.some((pattern) => pattern.test(name)) ? 'leftover' : undefined
}
