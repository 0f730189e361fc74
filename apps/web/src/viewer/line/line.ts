import {
  VIEWER_SOCKET_PATH,
  type ViewerMessage,
  type ViewerPageMessage,
  type WidgetName,
} from '@patchbay/contracts/viewer'
import { openReconnectingSocket, type ReconnectingSocket } from '../../parts/reconnecting-socket.ts'

export type Link = 'opening' | 'open' | 'away'

export interface LineOptions {
  readonly pageId: string
  /** Asked at each connection: the page may show the widget by then. */
  readonly showing: () => WidgetName | null
  /** From 0 up to 1. */
  readonly random: () => number
  readonly onMessage: (message: ViewerMessage) => void
  readonly onLink: (link: Link) => void
}

export type Line = ReconnectingSocket<ViewerPageMessage>

/** The one connection of a page to its viewer. */
export function openLine({ pageId, showing, random, onMessage, onLink }: LineOptions): Line {
  const attention = () => ({
    isVisible: document.visibilityState === 'visible',
    isFocused: document.hasFocus(),
  })
  return openReconnectingSocket<ViewerMessage, ViewerPageMessage>({
    path: VIEWER_SOCKET_PATH,
    random,
    hello: () => ({ type: 'open', pageId, showing: showing(), ...attention() }),
    attention: () => ({ type: 'attention', ...attention() }),
    isWelcome: () => true,
    onOpen: () => onLink('open'),
    onMessage,
    onLost: () => onLink('away'),
    isLocal: true,
  })
}
