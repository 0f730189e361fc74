import type { CloseCodeName } from '@patchbay/contracts/core'
import {
  type BrowserMessage,
  WORKSPACE_SOCKET_PATH,
  type WorkspaceMessage,
  type WorkspaceRef,
} from '@patchbay/contracts/panels'
import { openReconnectingSocket, type ReconnectingSocket } from '../../parts/reconnecting-socket.ts'
import type { Link } from '../store/snapshot.ts'

export interface ConnectionOptions {
  readonly workspace: WorkspaceRef
  readonly browserId: string
  readonly random: () => number
  readonly isSharing: () => boolean
  readonly onMessage: (message: WorkspaceMessage) => void
  readonly onLink: (link: Link, ending?: CloseCodeName) => void
}

export type Connection = ReconnectingSocket<BrowserMessage>

const FINAL_CODES: ReadonlySet<CloseCodeName> = new Set([
  'session_ended',
  'workspace_gone',
  'workspace_not_permitted',
])

/** The one connection of a workspace page. */
export function connect(options: ConnectionOptions): Connection {
  const { workspace, browserId, random, isSharing, onMessage, onLink } = options
  const attention = () => ({
    isVisible: document.visibilityState === 'visible',
    isFocused: document.hasFocus(),
    isSharing: isSharing(),
  })
  return openReconnectingSocket<WorkspaceMessage, BrowserMessage>({
    path: WORKSPACE_SOCKET_PATH,
    random,
    hello: () => ({ type: 'open', ...workspace, browserId, ...attention() }),
    attention: () => ({ type: 'attention', ...attention() }),
    isWelcome: ({ type }) => type === 'opened',
    onMessage,
    onLost: (ending) => (ending === undefined ? onLink('away') : onLink('ended', ending)),
    finalCodes: FINAL_CODES,
  })
}
