/**
 * `fetch` for one upload that tells how much of it was sent, from 0 to 100. `fetch` itself cannot, in any browser.
 */
export function fetchWithProgress(onProgress: (percent: number) => void): typeof fetch {
  return (address, init = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(init.method ?? 'GET', address instanceof Request ? address.url : address)
      new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value))
      request.upload.addEventListener('progress', ({ loaded, total }) => {
        if (total > 0) onProgress(Math.round((100 * loaded) / total))
      })
      request.addEventListener('load', () => resolve(answerOf(request)))
      request.addEventListener('error', () => reject(new TypeError('Failed to fetch')))
      const { signal } = init
      const stop = () => {
        request.abort()
        reject(asError(signal?.reason))
      }
      if (signal?.aborted === true) return stop()
      signal?.addEventListener('abort', stop, { once: true })
      request.send(init.body as XMLHttpRequestBodyInit)
    })
}

function answerOf(request: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const [name = '', ...value] = line.split(':')
    if (name !== '') headers.append(name, value.join(':').trim())
  }
  return new Response(request.responseText, { status: request.status, headers })
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('ended')
}
