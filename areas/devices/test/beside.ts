import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type RunningRabbitmq, shippedRabbitmq, startRabbitmq } from '@patchbay/testkit/rabbitmq'
import type { BrokerBeside } from './start.ts'

export interface RabbitmqBeside extends BrokerBeside, AsyncDisposable {
  readonly rabbitmq: RunningRabbitmq
}

/** RabbitMQ with the configuration that is shipped, and what stands between it and the nodes: nodes come and go, its address of them stays. */
export async function startRabbitmqBeside(): Promise<RabbitmqBeside> {
  await using starting = new AsyncDisposableStack()
  let node: string | undefined
  const balancer = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const asked = {
        method: 'POST',
        body: Buffer.concat(chunks),
        headers: { 'content-type': request.headers['content-type'] ?? '' },
      }
      fetch(`${node}${request.url}`, asked)
        .then(async (answer) => response.writeHead(answer.status).end(await answer.text()))
        .catch(() => response.writeHead(502).end())
    })
  })
  balancer.listen(0, '127.0.0.1')
  await once(balancer, 'listening')
  starting.defer(() => {
    balancer.close()
    balancer.closeAllConnections()
  })
  const secret = randomBytes(24).toString('base64url')
  const { port } = balancer.address() as AddressInfo
  const rabbitmq = starting.use(await startRabbitmq(await shippedRabbitmq(`127.0.0.1:${port}`, secret)))
  const owned = starting.move()
  return {
    rabbitmq,
    secret,
    serve(url) {
      node = url
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
