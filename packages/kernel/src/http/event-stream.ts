import type { ServerResponse } from 'node:http'

/** More than this unread means that nobody reads: a stream holds a few hundred bytes in all its life. */
const MOST_UNREAD_BYTES = 16 * 1024

/** Proxies buffer answers unless they are told not to, each in its own way. */
export const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

export const PING = ': ping\n\n'

/** `data` is always there, if empty: browsers drop an event without it. */
export function eventText(name: string, data?: unknown): string {
  return `event: ${name}\ndata:${data === undefined ? '' : ` ${JSON.stringify(data)}`}\n\n`
}

/** Writes what fits; a client that does not read is cut off instead of being remembered for. */
export function writeOrCut(response: ServerResponse, text: string): void {
  if (response.destroyed || response.writableEnded) return
  if (response.writableLength > MOST_UNREAD_BYTES) response.destroy()
  else response.write(text)
}
