import { connect } from 'node:net'
import { numbered } from './intents.ts'
import type { Browser } from './people.ts'

/** One kept-alive connection of a browser that approves one intent at a time. */
export interface PatchConnection {
  /** Resolves when the answer is there; anything but success is an error. */
  approve(number: number, browser: Browser): Promise<void>
  close(): void
}

export function openPatchConnection(port: number): Promise<PatchConnection> {
  const { promise, resolve, reject } = Promise.withResolvers<PatchConnection>()
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let answer = ''
  let current: PromiseWithResolvers<void> | undefined
  const fail = (error: Error) => {
    reject(error)
    current?.reject(error)
  }
  socket.setEncoding('latin1')
  socket.on('error', fail)
  socket.on('close', () => fail(new Error(`the node closed a connection: ${answer}`)))
  socket.on('data', (chunk: string) => {
    answer += chunk
    if (!isComplete(answer)) return
    if (answer.startsWith('HTTP/1.1 200')) current?.resolve()
    else fail(new Error(`an approval was answered ${answer}`))
    answer = ''
  })
  socket.on('connect', () =>
    resolve({
      approve(number, { cookie, csrf }) {
        current = Promise.withResolvers<void>()
        const lines = [
          `PATCH /auth/intents/${numbered(number)} HTTP/1.1`,
          `host: 127.0.0.1:${port}`,
          `origin: http://localhost:${port}`,
          `cookie: ${cookie}`,
          `x-csrf-token: ${csrf}`,
        ]
        socket.write(`${lines.join('\r\n')}\r\n\r\n`)
        return current.promise
      },
      close: () => void socket.destroy(),
    }),
  )
  return promise
}

function isComplete(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n')
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(answer)?.[1]
  return head >= 0 && answer.length >= head + 4 + Number(length ?? 0)
}
