/** Where the browser keeps what was read and drawn of boards. */
export const KEPT_BOARDS = 'patchbay-boards'

/** On a computer that others use too nothing of them stays behind. */
export function forgetBoards(): void {
  globalThis.indexedDB?.deleteDatabase(KEPT_BOARDS)
}
