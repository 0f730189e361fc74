import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** Serves a folder. An attack is an answer of its own to one name. */
export class FolderServer implements AsyncDisposable {
  readonly requests: string[] = []
  readonly attacks = new Map<string, (response: ServerResponse) => void>()
  readonly #server

  constructor(folder: string) {
    this.#server = createServer((request, response) => {
      const name = (request.url ?? '/').slice(1)
      this.requests.push(name)
      const attack = this.attacks.get(name)
      if (attack !== undefined) return attack(response)
      readFile(join(folder, name)).then(
        (bytes) => response.end(bytes),
        () => response.writeHead(404).end('not here'),
      )
    })
  }

  static async start(folder: string): Promise<FolderServer> {
    const server = new FolderServer(folder)
    await new Promise<void>((resolve) => void server.#server.listen(0, '127.0.0.1', resolve))
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  /** Answers the request for one name with these bytes. */
  replace(name: string, bytes: Uint8Array): void {
    this.attacks.set(name, (response) => response.end(bytes))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
