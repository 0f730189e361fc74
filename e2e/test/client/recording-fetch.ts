export interface Sent {
  readonly at: number
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string
  readonly signal: AbortSignal | null | undefined
  readonly isStream: boolean
}

export interface RecordingFetch {
  readonly fetch: typeof fetch
  readonly sent: readonly Sent[]
  streams(): number
  polls(): number
  /** Pieces that arrived over streams. */
  heard(): number
}

/** The real `fetch`, with a list of what it was asked for. */
export function recordingFetch(): RecordingFetch {
  const sent: Sent[] = []
  let heard = 0
  const isStatus = ({ url }: Sent) => url.endsWith('/status')
  return {
    sent,
    streams: () => sent.filter((one) => isStatus(one) && one.isStream).length,
    polls: () => sent.filter((one) => isStatus(one) && !one.isStream).length,
    heard: () => heard,
    fetch: async (input, init = {}) => {
      const headers = new Headers(init.headers)
      const isStream = headers.get('accept') === 'text/event-stream'
      sent.push({
        at: performance.now(),
        method: init.method ?? 'GET',
        url: input instanceof Request ? input.url : String(input),
        headers,
        body: typeof init.body === 'string' ? init.body : '',
        signal: init.signal,
        isStream,
      })
      const response = await fetch(input, init)
      if (!isStream || !response.ok || response.body === null) return response
      const counting = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          heard += 1
          controller.enqueue(chunk)
        },
      })
      return new Response(response.body.pipeThrough(counting), response)
    },
  }
}
