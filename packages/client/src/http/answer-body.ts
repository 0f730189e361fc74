import { LoginError } from '../login-error.ts'

const MOST_BYTES = 64 * 1024

/** The JSON of an answer; `undefined` when it is something else, such as a proxy's page. */
export async function readJson(response: Response): Promise<unknown> {
  const type = mediaTypeOf(response)
  if (type !== 'application/json' && type !== 'application/problem+json') {
    await response.body?.cancel()
    return undefined
  }
  const text = await readText(response)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function mediaTypeOf(response: Response): string {
  return response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
}

async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const decoder = new TextDecoder()
  let [text, size] = ['', 0]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > MOST_BYTES) {
      await reader.cancel()
      throw new LoginError('unexpected', { detail: 'the answer is too large' })
    }
    text += decoder.decode(value, { stream: true })
  }
}
