import { connect } from 'node:net'
import { codeOf } from './state.ts'

/** One kept-alive HTTP connection that carries one callback at a time. */
export interface CallbackConnection {
  /** Ends with an error unless the person is told that the code has arrived. */
  call(state: string, onAnswered: () => void): void
  close(): void
}

const DONE = '/callback/result/done'
const HEADERS_END = '\r\n\r\n'

export function openCallbackConnection(
  port: number,
  onFailed: (error: Error) => void,
): Promise<CallbackConnection> {
  const { promise, resolve } = Promise.withResolvers<CallbackConnection>()
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const headers = `host: 127.0.0.1:${port}\r\naccept: text/html\r\nuser-agent: bench${HEADERS_END}`
  let answer = ''
  let onAnswered: (() => void) | undefined
  let closing = false
  socket.on('connect', () =>
    resolve({
      call(state, whenAnswered) {
        onAnswered = whenAnswered
        const query = `code=${encodeURIComponent(codeOf(state))}&state=${state}&scope=openid`
        socket.write(`GET /callback?${query} HTTP/1.1\r\n${headers}`)
      },
      close() {
        closing = true
        socket.destroy()
      },
    }),
  )
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1')
    // No answer that counts has a body.
    if (!answer.endsWith(HEADERS_END)) return
    if (!answer.startsWith('HTTP/1.1 303') || !answer.includes(DONE))
      onFailed(new Error(`a callback was answered ${answer}`))
    answer = ''
    onAnswered?.()
  })
  socket.on('error', onFailed)
  socket.on('close', () => {
    if (!closing) onFailed(new Error(`the node closed a connection: ${answer}`))
  })
  return promise
}
