import type { buildConnector } from 'undici'

export type Connector = buildConnector.connector

/** All addresses of a name, in the order in which they are to be tried; rejects or answers none for an unknown one. */
export type Lookup = (name: string, signal: AbortSignal) => Promise<readonly string[]>

export interface OutboundOptions {
  /** Networks that an operator opens on purpose, such as one with an internal mirror. */
  readonly allowedNetworks?: readonly string[]
  /** 80 and 443. In allowed networks any port will do. */
  readonly ports?: readonly number[]
  readonly connect?: Connector
  readonly lookup?: Lookup
  readonly maxRedirects?: number
  readonly userAgent: string
}

export interface OpenOptions {
  readonly maxBytes: number
  /** From the lookup to the last byte. */
  readonly deadlineMs: number
  /** For each answer and each piece of a body. */
  readonly idleMs?: number
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The one host, with its port where it has one, at which networks that an operator opened may be reached, on every hop;
   * `null` for none. Unset: at any.
   */
  readonly openedHost?: string | null
}

/** Dispose of it, or read the body to its end or until you have enough. */
export interface OutboundResponse extends AsyncDisposable {
  readonly status: number
  /** Lower-case names; repeated headers are joined with a comma. */
  readonly headers: ReadonlyMap<string, string>
  /** After redirects. */
  readonly url: string
  /** To be read once. Fails with `OutboundRefused` beyond a limit. */
  readonly body: AsyncIterable<Uint8Array>
}

export interface Outbound extends AsyncDisposable {
  /** Rejects with `OutboundRefused`; statuses that are no redirect are answers like any other. */
  open(url: string, options: OpenOptions): Promise<OutboundResponse>
  /** Whether an address leads into a network that an operator opened; `false` for one that would be refused. Dials nothing. */
  leadsInside(url: string, options: Pick<OpenOptions, 'deadlineMs' | 'signal'>): Promise<boolean>
  close(): Promise<void>
}
