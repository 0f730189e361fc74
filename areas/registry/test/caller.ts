/** What one signed-in person can send. */
export interface Caller {
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>
  change(method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Response>
  /** Uploads an archive; the owner is the person unless a test says otherwise. */
  publish(archive: Uint8Array, options?: PublishOptions): Promise<Response>
}

export interface PublishOptions {
  readonly owner?: string
  readonly visibility?: 'public' | 'private'
}

export function createCaller(url: string, handle: string, credential = 'application'): Caller {
  const person = { 'x-test-person': handle, 'x-test-credential': credential }
  const withPerson = (given?: HeadersInit) => {
    const headers = new Headers(given)
    for (const [name, value] of Object.entries(person)) headers.set(name, value)
    return headers
  }
  return {
    ask: (path, init = {}) =>
      fetch(url + path, { redirect: 'manual', ...init, headers: withPerson(init.headers) }),
    change: (method, path, body) =>
      fetch(url + path, {
        method,
        headers: { ...person, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    publish: (archive, { owner = handle, visibility } = {}) =>
      fetch(
        `${url}/registry/owners/${owner}/packages${visibility === undefined ? '' : `?visibility=${visibility}`}`,
        {
          method: 'POST',
          headers: { ...person, 'content-type': 'application/zip' },
          body: new Uint8Array(archive),
        },
      ),
  }
}
