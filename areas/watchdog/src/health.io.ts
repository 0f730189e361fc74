import { type IncomingMessage, request } from 'node:http'
import type { Answer } from './health.ts'

const MOST_BYTES = 64 * 1024
/** Nobody can be listening there, or nobody that this machine could reach. */
const NOBODY = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** Asks once, on a connection of its own: a kept one would outlive the process that it leads to. Never rejects. */
export async function askHealth(baseUrl: string, timeoutMs: number): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const asked = request(`${baseUrl}/health`, { agent: false, headers: { connection: 'close' } })
  // Over everything, from the connection to the last byte: one that trickles must not hold the check open.
  const timer = setTimeout(() => {
    resolve({ kind: 'silent', reason: `no answer from /health within ${timeoutMs} ms` })
    asked.destroy()
  }, timeoutMs)
  asked.on('response', (response) => void readAnswer(response).then(resolve))
  asked.on('error', (error: NodeJS.ErrnoException) => {
    const code = error.code ?? error.message
    resolve(
      NOBODY.has(code)
        ? { kind: 'nobody', reason: `nobody listens (${code})` }
        : { kind: 'broken', reason: `it takes connections but does not answer /health (${code})` },
    )
  })
  asked.end()
  return await promise.finally(() => {
    clearTimeout(timer)
    asked.destroy()
  })
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const status = response.statusCode ?? 0
  let text = ''
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk as string
      if (text.length > MOST_BYTES) return { kind: 'answered', status, instance: undefined }
    }
  } catch {
    return { kind: 'broken', reason: 'the answer to /health broke off' }
  }
  return { kind: 'answered', status, instance: instanceIn(text) }
}

function instanceIn(text: string): string | undefined {
  try {
    const { instance } = JSON.parse(text) as { instance?: unknown }
    return typeof instance === 'string' ? instance : undefined
  } catch {
    return undefined
  }
}
