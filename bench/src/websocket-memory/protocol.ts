/** What the processes of a measurement tell their parent. */
export interface Listening {
  readonly port: number
}

export interface MemoryReading {
  readonly rss: number
  readonly heapUsed: number
  readonly connections: number
}

export interface Opened {
  readonly opened: number
}

export function isListening(message: unknown): message is Listening {
  return hasKey(message, 'port')
}

export function isReading(message: unknown): message is MemoryReading {
  return hasKey(message, 'rss')
}

export function isOpened(message: unknown): message is Opened {
  return hasKey(message, 'opened')
}

function hasKey(message: unknown, key: string): boolean {
  return typeof message === 'object' && message !== null && key in message
}
