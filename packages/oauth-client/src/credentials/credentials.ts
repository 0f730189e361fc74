import { readFile } from 'node:fs/promises'
import { inspect } from 'node:util'

/** What the provider knows the application by. The secret shows in no inspection and in no JSON. */
export class Credentials {
  readonly clientId: string
  readonly #clientSecret: string | undefined

  constructor({ clientId, clientSecret }: { clientId: string; clientSecret?: string | undefined }) {
    this.clientId = clientId
    this.#clientSecret = clientSecret
  }

  /** Absent for a public client. */
  get clientSecret(): string | undefined {
    return this.#clientSecret
  }

  // Asked to, the debugger would call the getter.
  [inspect.custom](): string {
    return `Credentials { clientId: ${inspect(this.clientId)} }`
  }
}

/** The credentials file cannot be used. The message names the file and never repeats what is in it. */
export class CredentialsFault extends Error {
  override readonly name = 'CredentialsFault'
}

/** Reads a JSON file with `clientId` and, unless the client is public, `clientSecret`. */
export async function readCredentials(path: string): Promise<Credentials> {
  const fault = (why: string) => new CredentialsFault(`the credentials file ${path} ${why}`)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw fault(error.code === 'ENOENT' ? 'is not there' : `cannot be read (${error.code ?? 'unknown'})`)
  })
  const { clientId, clientSecret } = parseObject(text) ?? refuse(fault('is not a JSON object'))
  if (!isFilled(clientId)) throw fault('needs a clientId, a string that is not empty')
  if (clientSecret === undefined || clientSecret === null) return new Credentials({ clientId })
  // An empty secret is a forgotten one. Taken for a public client, the provider's answer would not say so.
  if (!isFilled(clientSecret)) throw fault('has a clientSecret that is no string, or empty')
  return new Credentials({ clientId, clientSecret })
}

/** The parser's own message quotes the text around the fault, which may be the secret. */
function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function refuse(error: Error): never {
  throw error
}
