import { copyFile, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WatchdogStatus } from '@patchbay/contracts/gateway'
import { createMetrics } from '@patchbay/kernel/metrics'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { withFreePort } from '@patchbay/testkit/ports'
import { startPostgres } from '@patchbay/testkit/postgres'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { exposeWatchdog } from '@patchbay/watchdog'
import { expect } from 'vitest'
import { startClientServer } from '../client/start-server.ts'
import { startGateway } from '../oauth-client/start-gateway.ts'
import { isInstalled, run } from './commands.ts'
import { ROOT, readText, readYaml } from './files.ts'

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}

const FOLDER = join(ROOT, 'deploy/prometheus')
const { groups } = await readYaml<{ groups: { rules: Alert[] }[] }>('deploy/prometheus/alerts.yml')
const alerts = groups.flatMap(({ rules }) => rules)
const noPromtool = !isInstalled('promtool')

async function runUnitTests(change: (rules: string) => string) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'alerts-'))
  await copyFile(join(FOLDER, 'alerts.test.yml'), join(folder.path, 'alerts.test.yml'))
  await writeFile(join(folder.path, 'alerts.yml'), change(await readText('deploy/prometheus/alerts.yml')))
  return await run('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd: folder.path })
}

test.skipIf(noPromtool)('[DP-400] Prometheus accepts its configuration and the alerts', async () => {
  const configuration = ['check', 'config', '--syntax-only', 'prometheus.yml']
  expect(await run('promtool', configuration, { cwd: FOLDER })).toMatchObject({ code: 0 })
  expect(
    await run('promtool', ['check', 'rules', '--lint-fatal', 'alerts.yml'], { cwd: FOLDER }),
  ).toMatchObject({
    code: 0,
  })
})

deepTest.skipIf(noPromtool)(
  '[DP-401] each alert fires when it should, and is silent while all is well',
  async () => {
    expect(await runUnitTests((rules) => rules)).toMatchObject({ code: 0 })
  },
)

test.skipIf(noPromtool)('[DP-401] and a test notices each that is missing', async () => {
  const { code, output } = await runUnitTests((rules) => rules.replaceAll('alert: Patchbay', 'alert: Other'))
  expect(code).toBe(1)
  expect(alerts.filter(({ alert }) => !output.includes(`alertname=\\"${alert}\\"`))).toEqual([])
})

test('[DP-402] each alert says how urgent it is, and leads to a section about it', async () => {
  const sections = (await readText('docs/guides/answer-an-alert.md')).match(/^## .*$/gm)
  expect(sections).toEqual(alerts.map(({ alert }) => `## ${alert}`))
  for (const { alert, labels, annotations } of alerts) {
    expect(labels.severity).toMatch(/^(?:page|ticket)$/)
    expect(annotations.runbook).toBe(`docs/guides/answer-an-alert.md#${alert.toLowerCase()}`)
  }
})

const NAME = /\b(?:patchbay|nodejs|process)_[a-z\d_]+/g
const withoutSuffix = (name: string) => name.replace(/_(?:bucket|count|sum)$/, '')

async function metricsOfAll(): Promise<Set<string>> {
  // Nobody need be there.
  await using server = await startClientServer({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  await using gateway = await startGateway()
  const watchdog = createMetrics('watchdog')
  const status = { state: 'healthy', gateway: { url: 'http://127.0.0.1:8795' }, consecutiveFailures: 0 }
  const restarts = { exited: 0, unhealthy: 0, commanded: 0 }
  exposeWatchdog(watchdog, () => ({ ...status, restarts }) as WatchdogStatus)
  const texts = await Promise.all([
    ...[server.url, gateway.url].map(async (url) => (await fetch(`${url}/metrics`)).text()),
    watchdog.metrics(),
  ])
  return new Set(texts.flatMap((text) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)))
}

deepTest(
  '[DP-403] alerts and the dashboard ask for metrics that there are, and the dashboard for all of ours',
  async () => {
    const exist = await metricsOfAll()
    const asked = (text: string) => new Set((text.match(NAME) ?? []).map(withoutSuffix))
    const onDashboard = asked(await readText('deploy/grafana/patchbay.json'))
    const inAlerts = asked(alerts.map(({ expr }) => expr).join('\n'))
    expect([...onDashboard, ...inAlerts].filter((name) => !exist.has(name))).toEqual([])
    expect([...exist].filter((name) => name.startsWith('patchbay_') && !onDashboard.has(name))).toEqual([])
  },
)

test.skipIf(!isInstalled('prometheus'))(
  '[DP-404] Prometheus itself finds a server whose database is away',
  { timeout: 180_000 },
  async () => {
    await using postgres = await startPostgres()
    await using server = await startClientServer({ DATABASE_URL: postgres.url() })
    await using folder = await mkdtempDisposable(join(tmpdir(), 'prometheus-'))
    const atOnce = (await readText('deploy/prometheus/alerts.yml')).replaceAll(/for: \d+m/g, 'for: 0s')
    await writeFile(join(folder.path, 'alerts.yml'), atOnce)
    const configuration = (await readText('deploy/prometheus/prometheus.yml'))
      .replaceAll(/: 15s/g, ': 1s')
      .replaceAll(/^ +authorization:.*\n/gm, '')
      .replace('127.0.0.1:8790', new URL(server.url).host)
      .replace(/ {2}- job_name: patchbay-gateway[\s\S]*$/, '')
    await writeFile(join(folder.path, 'prometheus.yml'), configuration)
    await using prometheus = await withFreePort(async (port) => {
      const running = startProcess(
        'prometheus',
        [
          `--config.file=${join(folder.path, 'prometheus.yml')}`,
          `--storage.tsdb.path=${join(folder.path, 'data')}`,
          `--web.listen-address=127.0.0.1:${port}`,
        ],
        { env: { ...process.env } },
      )
      await waitUntil('Prometheus is ready', async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/-/ready`).catch(() => undefined)
        return answer?.ok === true
      })
      return { ...running, port, [Symbol.asyncDispose]: () => running.kill('SIGKILL') }
    })
    const firing = async () => {
      const answer = await fetch(`http://127.0.0.1:${prometheus.port}/api/v1/alerts`)
      const { data } = (await answer.json()) as { data: { alerts: { labels: Record<string, string> }[] } }
      return data.alerts.map(({ labels }) => `${labels['alertname']} ${labels['check'] ?? ''}`.trim())
    }
    const targets = async () =>
      await (await fetch(`http://127.0.0.1:${prometheus.port}/api/v1/targets?state=active`)).text()
    await expect.poll(targets, { timeout: 60_000 }).toContain('"health":"up"')
    expect(await firing()).toEqual([])
    await postgres.stop()
    await expect.poll(firing, { timeout: 60_000 }).toContain('PatchbayEngineDown database')
  },
)
