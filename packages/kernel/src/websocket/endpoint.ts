import type { IncomingMessage } from 'node:http'
import type { CloseCodeName } from '@patchbay/contracts/core'
import type { MessageRate } from './message-rate.ts'

export type Outgoing = string | Uint8Array

/** One open connection, as an area sees it. */
export interface Peer<Data = undefined> {
  /** What `authenticate` returned; the area's own from then on. */
  data: Data
  readonly path: string
  readonly address: string
  readonly isOpen: boolean
  /** Bytes that wait for it: whoever can leave something out does so while there are many. */
  readonly bufferedAmount: number
  /**
   * Resolves `true` once the operating system has taken every byte, `false` if the peer was or became closed before.
   * A peer whose backlog is over its limit is removed and gets nothing more.
   */
  send(data: Outgoing): Promise<boolean>
  /** As `send`, but only says whether the bytes were queued: for many small messages whose fate nobody awaits. */
  offer(data: Outgoing): boolean
  /** Starts the closing handshake with the code of that name. */
  end(name: CloseCodeName): void
  /** Cuts the connection at once: for a peer that does not even read that it is being closed. */
  drop(name: CloseCodeName): void
}

/** Returns the peer's data, or throws the `Problem` to answer with. `signal` aborts at the deadline. */
export type Authenticate<Data> = (request: IncomingMessage, signal: AbortSignal) => Promise<Data> | Data

interface EndpointHandlers<Data> {
  /** Exact paths, without query. */
  readonly path: string | readonly string[]
  readonly maxMessageBytes: number
  /** No limit unless told. */
  readonly rate?: MessageRate
  onOpen?(peer: Peer<Data>): Promise<void> | void
  onMessage(peer: Peer<Data>, text: string): Promise<void> | void
  /** Binary messages are refused unless this is there. */
  onBinary?(peer: Peer<Data>, bytes: Buffer): Promise<void> | void
  onClose?(peer: Peer<Data>, code: number): Promise<void> | void
  /** Called when draining is about to close the peer, which happens once this has settled. */
  onGoingAway?(peer: Peer<Data>): Promise<void> | void
}

/** `authenticate` can be left out only where `peer.data` may be undefined. */
export type Endpoint<Data = undefined> = EndpointHandlers<Data> &
  (undefined extends Data
    ? { readonly authenticate?: Authenticate<Data> }
    : { readonly authenticate: Authenticate<Data> })

/** Any endpoint, once the type of its data no longer matters. */
export interface AnyEndpoint extends EndpointHandlers<unknown> {
  readonly authenticate?: Authenticate<unknown>
}
