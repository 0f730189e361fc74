import { headersOf, type TestCredential } from './access.ts'

/** What somebody can send. */
export interface TestCaller {
  readonly headers: Readonly<Record<string, string>>
  ask(path: string, init?: RequestInit): Promise<Response>
  /** With a JSON body, unless there is none. */
  send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Response>
}

export function createCaller(url: string, handle: string, credential?: TestCredential): TestCaller {
  const person: Record<string, string> = headersOf(handle, credential)
  return {
    headers: person,
    ask: (path, init = {}) =>
      fetch(url + path, { ...init, headers: { ...person, ...(init.headers as Record<string, string>) } }),
    send: (method, path, body) =>
      fetch(url + path, {
        method,
        headers: body === undefined ? person : { ...person, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}
