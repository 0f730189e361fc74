/** What the script runner gives to scripts besides the language and the browser. */
export const SCRIPT_GLOBALS = `
/** The files of the workspace, in the script runner. Paths begin in the folder of the script. */
declare const files: {
  /** The text of a file. */
  read(path: string): Promise<string>
  /** The bytes of a file. */
  bytes(path: string): Promise<Uint8Array>
  /** Names in a folder; those of folders end with a slash. */
  list(folder?: string): Promise<string[]>
}
`
