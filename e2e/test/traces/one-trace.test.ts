import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { connectWorkspace } from '@patchbay/client/workspaces'
import type { BoardJob } from '@patchbay/contracts/boards'
import { waitUntil } from '@patchbay/testkit/processes'
import { startRedis } from '@patchbay/testkit/redis'
import { type ReceivedSpan, startTraceReceiver, traceTree } from '@patchbay/testkit/trace-receiver'
import { expect, test } from 'vitest'
import { hasKicad, readDemo, startBoardService } from '../boards/service.ts'
import { startServerProcess } from '../identity/servers.ts'
import { openStandIn } from '../workspace-cli/stand-in-browser.ts'

const GUIDE = new URL('../../../docs/guides/follow-a-request.md', import.meta.url)
const SCHEMATIC = 'pic_programmer.kicad_sch'

/** Without what differs from run to run. */
const shapeOf = (tree: string) => tree.replaceAll(/^ *[\d.]+ ms {2}/gm, '').replaceAll(/ × \d+$/gm, '')

test.skipIf(!hasKicad)(
  '[K-726][K-719][K-718] what a script asks for is one trace over two servers and a worker, as the guide shows it',
  { timeout: 300_000 },
  async () => {
    await using receiver = await startTraceReceiver()
    await using redis = await startRedis()
    const traced = {
      REDIS_URL: redis.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      PATCHBAY_TRUST_TRACEPARENT: 'true',
    }
    await using service = await startBoardService({ ...traced, PATCHBAY_NODE_NAME: 'one' })
    await using other = await startServerProcess({ ...service.environment, PATCHBAY_NODE_NAME: 'two' })
    await service.startWorker({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
    await service.write(await readDemo('pic_programmer'))
    await using browser = await openStandIn({
      url: other.url,
      session: service.session,
      owner: 'ada',
      repo: 'board',
    })
    const { url, key } = service
    const workspace = connectWorkspace({ baseUrl: url, apiKey: key, owner: 'ada', repo: 'board' })
    const { tabId, panelId } = await workspace.addTab('webview', { title: 'Docs' })
    browser.setReady(tabId)

    const traceId = randomBytes(16).toString('hex')
    const ask = (method: string, path: string, body: unknown) =>
      fetch(url + path, {
        method,
        headers: {
          'x-api-key': key,
          'content-type': 'application/json',
          traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
        },
        body: JSON.stringify(body),
      })
    const question = { operation: 'erc', path: SCHEMATIC }
    const answer = await ask('POST', '/api/workspaces/editor/ada/board/boards/jobs?wait=30', question)
    expect(((await answer.json()) as BoardJob).state).toBe('done')
    const action = { panelId, action: 'navigate', url: 'https://example.com/report' }
    expect((await ask('PATCH', '/api/panels/webview/ada/board', action)).status).toBe(204)
    expect(browser.commands.length).toBeGreaterThan(0)

    const ofTrace = () => receiver.spans.filter((span) => span.traceId === traceId)
    // Each span is sent after those below it.
    const last = ['POST /api/', 'PATCH /api/', 'board job', 'handle panels.command']
    await waitUntil('all of it has arrived', () =>
      last.every((name) => ofTrace().some((span) => span.name.startsWith(name))),
    )
    const tree = traceTree(receiver.spans, traceId, { nameOf, showsTimes: true, foldsEngines: true })
    // oxlint-disable-next-line no-console -- the guide shows what is printed here
    console.info(`\n${tree}\n`)
    expect(shapeOf(await readFile(GUIDE, 'utf8'))).toContain(shapeOf(tree))
    expect(receiver.bodies.join()).not.toMatch(/\bada\b|pic_programmer|Docs/)
  },
)

/** `server one`, `worker`. */
function nameOf({ service, instance }: ReceivedSpan): string {
  const name = service.replace('patchbay-', '')
  return name === 'server' ? `${name} ${instance.split('-')[0]}` : name
}
