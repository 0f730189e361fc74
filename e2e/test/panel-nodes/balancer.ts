import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The way of one browser to the nodes. */
export interface Way {
  /** Ends its connections, and takes no new ones until it is mended. */
  cut(): void
  mend(): void
  /** Connections that were turned away. */
  refused(): number
  /** New connections lead to this node from now on, as long as it is there. */
  prefer(port: number): void
}

/**
 * What stands in front of the nodes: it sends each browser to the node that was chosen for it, and to another one when
 * that node takes no connections anymore, or ends one without an answer.
 */
export interface Balancer extends AsyncDisposable {
  readonly port: number
  /** The way of the browser whose user agent contains this word. */
  way(word: string): Way
  /** Everybody who has no way of their own goes to the first of these that answers; so do those whose node is gone. */
  setNodes(ports: readonly number[]): void
}

interface KnownWay {
  readonly sockets: Set<Socket>
  port: number | undefined
  isCut: boolean
  refused: number
}

const MOST_HEADER_BYTES = 64 * 1024

export async function startBalancer(): Promise<Balancer> {
  const ways = new Map<string, KnownWay>()
  const all = new Set<Socket>()
  let nodes: readonly number[] = []

  const server = createServer((client) => {
    keep(all, client)
    let head = Buffer.alloc(0)
    // A browser opens connections before it has anything to say on them.
    client.on('data', function read(chunk: Buffer) {
      head = Buffer.concat([head, chunk])
      if (head.length > MOST_HEADER_BYTES) client.destroy()
      if (!head.includes('\r\n\r\n')) return
      client.off('data', read).pause()
      const agent = /^user-agent: (.*)$/im.exec(head.toString('latin1'))?.[1] ?? ''
      const way = [...ways].find(([word]) => agent.includes(word))?.[1]
      if (way?.isCut) {
        way.refused += 1
        client.destroy()
        return
      }
      if (way) keep(way.sockets, client)
      lead(client, head, [...(way?.port === undefined ? [] : [way.port]), ...nodes])
    })
  })

  function lead(client: Socket, head: Buffer, [port, ...others]: readonly number[]): void {
    if (port === undefined || client.destroyed) return void client.destroy()
    const node = connect(port, '127.0.0.1')
    keep(all, node)
    client.once('close', () => node.destroy())
    node.once('connect', () => {
      node.write(head)
      node.pipe(client, { end: false })
      client.pipe(node)
    })
    node.once('close', () => {
      // Nothing came of it: a node that is being killed still takes connections. What might have had an effect is not repeated.
      if (node.bytesRead === 0 && (node.bytesWritten === 0 || isRead(head))) {
        client.unpipe(node)
        lead(client, head, others)
      } else client.destroySoon()
    })
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    setNodes(ports) {
      nodes = ports
    },
    way(word) {
      const way = ways.get(word) ?? { sockets: new Set(), port: undefined, isCut: false, refused: 0 }
      ways.set(word, way)
      return {
        cut() {
          way.isCut = true
          for (const socket of way.sockets) socket.destroy()
        },
        mend() {
          way.isCut = false
        },
        refused: () => way.refused,
        prefer(port) {
          way.port = port
        },
      }
    },
    async [Symbol.asyncDispose]() {
      for (const socket of all) socket.destroy()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

function isRead(head: Buffer): boolean {
  return head.toString('latin1', 0, 4) === 'GET '
}

function keep(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket)
  // An error is followed by the end of the connection, which is what counts.
  socket.on('error', () => undefined)
  socket.once('close', () => sockets.delete(socket))
}
