import { randomUUID } from 'node:crypto'
import { collab, getSyncedVersion, receiveUpdates, sendableUpdates } from '@codemirror/collab'
import { ChangeSet, EditorState } from '@codemirror/state'
import type { EditedDocument, EditingNews } from '@patchbay/contracts/content'
import type { Page } from '../src/deps.ts'
import { type ContentNode, success } from './start.ts'

export interface TestEditor {
  readonly document: number
  readonly news: readonly EditingNews[]
  text(): string
  version(): number
  /** Types, and says so at once. */
  change(from: number, to: number, insert: string): Promise<void>
  /** Types without telling anybody. */
  type(from: number, to: number, insert: string): void
  /** Tells everything that was not taken yet. */
  push(): Promise<void>
  say(message: object): Promise<void>
  leave(): void
}

/** A page with one document open: CodeMirror's own state, without a view. */
export async function openEditor(
  node: ContentNode,
  path: string,
  { handle = 'ada', mayChange = true, workspace = 'ada/board' } = {},
): Promise<TestEditor> {
  const query = `/document?path=${encodeURIComponent(path)}`
  const opened = (await (
    await success(await node.files(workspace, handle).ask('GET', query))
  ).json()) as EditedDocument
  const [owner = '', repo = ''] = workspace.split('/')
  const clientID = randomUUID()
  let state = EditorState.create({
    doc: opened.text,
    extensions: collab({ startVersion: opened.version, clientID }),
  })
  const { document } = opened
  const news: EditingNews[] = []
  const page: Page = {
    at: { owner, repo },
    browserId: clientID,
    party: { kind: 'browser', name: handle, handle },
    mayChange,
    send(_channel, message) {
      const told = message as EditingNews
      news.push(told)
      if (told.type !== 'edits') return
      if (told.version !== getSyncedVersion(state)) throw new Error('edits out of order')
      const updates = told.edits.map(({ clientId, changes }) => ({
        clientID: clientId,
        changes: ChangeSet.fromJSON(changes),
      }))
      state = receiveUpdates(state, updates).state
    },
  }
  const say = (message: object) => node.editing.receive(page, { document, ...message })
  const push = async () => {
    const edits = sendableUpdates(state).map(({ changes }) => changes.toJSON())
    if (edits.length === 0) return
    await say({ type: 'push', version: getSyncedVersion(state), clientId: clientID, edits })
  }
  const type = (from: number, to: number, insert: string) => {
    state = state.update({ changes: { from, to, insert } }).state
  }
  await say({ type: 'open', version: opened.version })
  return {
    document,
    news,
    text: () => state.doc.toString(),
    version: () => getSyncedVersion(state),
    type,
    async change(from, to, insert) {
      type(from, to, insert)
      await push()
    },
    push,
    say,
    leave: () => node.editing.leave(page),
  }
}
