import { atLatest, deepTest, sample } from '@patchbay/testkit/depth'
import { listenAsSystemd, noSystemdNotify } from '@patchbay/testkit/notify-socket'
import { waitUntil } from '@patchbay/testkit/processes'
import { describe, expect, test } from 'vitest'
import { startGatewayCaddy } from './caddy-example.ts'
import { GATEWAY_EXAMPLES, noCaddy } from './examples.ts'
import { startFaultyNode } from './faulty-node.ts'
import { connect, delivered, runFlow } from './gateway-flow.ts'
import { type GatewayNode, startGatewayNodes } from './gateway-nodes.ts'
import { startGatewayNginx } from './nginx-example.ts'
import type { Proxy, StartProxy } from './proxy.ts'
import { ask } from './proxy-client.ts'
import { readUnit } from './units.ts'

const available = GATEWAY_EXAMPLES.filter(({ missing }) => !missing)

/** Flows during all of it, before and after the hang too. */
const HANG_MS = 40_000
const BESIDE_EACH_OTHER = 4
const isRare = ({ failed, flows }: { readonly failed: readonly string[]; readonly flows: number }) =>
  failed.length <= flows * 0.02
const LONG = { timeout: HANG_MS + 60_000 }

// At once: they mostly wait.
describe.concurrent('a node with a fault', () => {
  deepTest.for(available)(
    '[DP-327] a GET goes to the next when a node broke down over it: $name',
    async ({ start }) => {
      expect(await askFaulty(start, 'breaks', 'GET')).toMatchObject({ status: 200 })
    },
  )

  deepTest.for(sample(available))('[DP-327] and when it is silent for 3 s: $name', async ({ start }) => {
    const { status, tookMs } = await askFaulty(start, 'is silent', 'GET')
    expect(status).toBe(200)
    expect(tookMs).toBeLessThan(atLatest(5_000))
  })

  test.for(sample(['breaks', 'is silent'] as const))(
    '[DP-327] so does a POST behind nginx: a node that %s',
    async (fault) => {
      expect(await askFaulty(startGatewayNginx, fault, 'POST')).toMatchObject({ status: 200, body: 'code=1' })
    },
  )

  test.skipIf(noCaddy)('[DP-327] behind Caddy a POST that reached a node is not repeated', async () => {
    const { status, received } = await askFaulty(startGatewayCaddy, 'breaks', 'POST')
    expect({ status, received }).toEqual({ status: 502, received: 1 })
  })
})

deepTest.skipIf(noSystemdNotify)(
  '[DP-328] O3: a gateway that hangs behind nginx and under systemd costs 2 of 100 flows at most',
  LONG,
  async () => {
    await using systemd = await listenAsSystemd()
    const seconds = Number((await readUnit('patchbay-gateway.service')).directive('WatchdogSec'))
    const { flows, failed, slowestMs } = await runFlowsWhileOneHangs(startGatewayNginx, {
      environment: systemd.environment(seconds),
      end: async (hung) => {
        await silence(() => systemd.heard('WATCHDOG=1'), seconds * 1000)
        await hung.process.kill('SIGKILL')
      },
    })
    expect({ failed, flows }).toSatisfy(isRare)
    expect(slowestMs).toBeLessThan(atLatest(6_000))
  },
)

deepTest.skipIf(noCaddy)('[DP-328] O3: and behind Caddy, which asks the nodes itself', LONG, async () => {
  const { flows, failed } = await runFlowsWhileOneHangs(startGatewayCaddy, {
    environment: {},
    end: async () => {},
  })
  expect({ failed, flows }).toSatisfy(isRare)
})

interface Supervisor {
  readonly environment: Record<string, string>
  /** What it does about the node that hangs. */
  readonly end: (hung: GatewayNode) => Promise<void>
}

async function runFlowsWhileOneHangs(start: StartProxy, { environment, end }: Supervisor) {
  await using rig = await startGatewayNodes(1)
  await using hanging = await startGatewayNodes(1, { REDIS_URL: rig.redisUrl, ...environment })
  const [hung] = hanging.nodes
  if (hung === undefined) throw new Error('no node')
  await using proxy = await start([...rig.ports, ...hanging.ports])
  const over = new AbortController()
  const counts = { flows: 0, failed: [] as string[], slowestMs: 0 }
  const running = Promise.all(
    Array.from({ length: BESIDE_EACH_OTHER }, () => flowOn(proxy, over.signal, counts)),
  )
  await waitUntil('flows run', () => counts.flows > 20, { deadlineMs: 20_000 })
  hung.process.child.kill('SIGSTOP')
  const ended = end(hung)
  await new Promise((resolve) => setTimeout(resolve, HANG_MS))
  await ended
  hung.process.child.kill('SIGCONT')
  over.abort()
  await running
  return counts
}

async function flowOn(
  proxy: Proxy,
  over: AbortSignal,
  counts: { flows: number; slowestMs: number; readonly failed: string[] },
) {
  while (!over.aborted) {
    const begun = performance.now()
    try {
      using client = await connect(proxy)
      expect(await runFlow(proxy, client, 'a-code')).toEqual(delivered('a-code'))
      counts.slowestMs = Math.max(counts.slowestMs, performance.now() - begun)
    } catch (error) {
      counts.failed.push(String(error))
    }
    counts.flows += 1
    // People come one after the other, not as fast as the machine can.
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Resolves when a count has not grown for so long. */
async function silence(count: () => number, forMs: number): Promise<void> {
  let last = count()
  let since = performance.now()
  const isSilent = () => {
    if (count() !== last) {
      last = count()
      since = performance.now()
    }
    return performance.now() - since > forMs
  }
  await waitUntil('no sign of life', isSilent, { deadlineMs: forMs * 5 })
}

/** A node with a fault and one without: what the person gets, and how often the first was asked. */
async function askFaulty(start: StartProxy, fault: 'breaks' | 'is silent', method: 'GET' | 'POST') {
  await using faulty = await startFaultyNode(fault)
  await using sound = await startFaultyNode('answers')
  // Whoever is asked first, the second request meets the other.
  await using proxy = await start([faulty.port, sound.port])
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const asked = method === 'POST' ? { method, headers, body: 'code=1' } : { method }
  for (let attempt = 0; ; attempt += 1) {
    const begun = performance.now()
    const { status, text } = await ask(proxy, '/callback', asked)
    if (faulty.received() > 0 || attempt === 3)
      return { status, body: text, tookMs: performance.now() - begun, received: faulty.received() }
  }
}
