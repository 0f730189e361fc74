/** One picture of the dashboard: what it asks Prometheus, and how each line is called. */
interface Picture {
  readonly title: string
  readonly says: string
  readonly unit: 'short' | 's' | 'bytes' | 'percentunit' | 'reqps'
  readonly lines: readonly (readonly [expression: string, legend: string])[]
}

const ALL = 'job=~"$job"'
const HTTP = 'patchbay_http_request_duration_seconds'
const slowest = (share: number) =>
  `histogram_quantile(${share}, sum by (le) (rate(${HTTP}_bucket{${ALL}}[$__rate_interval])))`

/** What an operator looks at, from what people notice first to what explains it. */
const DASHBOARD: Readonly<Record<string, readonly Picture[]>> = {
  Requests: [
    {
      title: 'Requests',
      says: 'Answered requests a second, by status.',
      unit: 'reqps',
      lines: [[`sum by (status) (rate(${HTTP}_count{${ALL}}[$__rate_interval]))`, '{{status}}']],
    },
    {
      title: 'Failing requests',
      says: 'The part of the requests that is answered with 500 or more.',
      unit: 'percentunit',
      lines: [
        [
          `sum by (job) (rate(${HTTP}_count{${ALL}, status=~"5.."}[$__rate_interval])) / sum by (job) (rate(${HTTP}_count{${ALL}}[$__rate_interval]))`,
          '{{job}}',
        ],
      ],
    },
    {
      title: 'Time to answer',
      says: 'Requests that wait for something on purpose are among them.',
      unit: 's',
      lines: [
        [slowest(0.5), 'half'],
        [slowest(0.95), '95 of 100'],
        [slowest(0.99), '99 of 100'],
      ],
    },
    {
      title: 'Slowest routes',
      says: 'The ten routes whose requests take the most time, added up.',
      unit: 'percentunit',
      lines: [
        [
          `topk(10, sum by (method, route) (rate(${HTTP}_sum{${ALL}}[$__rate_interval])))`,
          '{{method}} {{route}}',
        ],
      ],
    },
  ],
  Nodes: [
    {
      title: 'Nodes that answer',
      says: '1 for each process that Prometheus reaches.',
      unit: 'short',
      lines: [[`up{${ALL}}`, '{{job}} {{instance}}']],
    },
    {
      title: 'Engines',
      says: '1 for each engine that a node can use, as /ready sees it.',
      unit: 'short',
      lines: [[`patchbay_check_ok{${ALL}}`, '{{check}} {{instance}}']],
    },
    {
      title: 'Connections to PostgreSQL',
      says: 'Requests that wait for a connection are the first sign of a slow database.',
      unit: 'short',
      lines: [[`sum by (state) (patchbay_database_connections{${ALL}})`, '{{state}}']],
    },
    {
      title: 'Spans of traces',
      says: 'By what became of them, where tracing is on. What is dropped or refused never arrived.',
      unit: 'short',
      lines: [
        [`sum by (outcome) (rate(patchbay_trace_spans_total{${ALL}}[$__rate_interval]))`, '{{outcome}}'],
      ],
    },
    {
      title: 'Event loop',
      says: 'How late a process is to do what is due: one of a hundred times.',
      unit: 's',
      lines: [[`nodejs_eventloop_lag_p99_seconds{${ALL}}`, '{{job}} {{instance}}']],
    },
    {
      title: 'Processor',
      says: 'A process uses one core for most of what it does.',
      unit: 'percentunit',
      lines: [[`rate(process_cpu_seconds_total{${ALL}}[$__rate_interval])`, '{{job}} {{instance}}']],
    },
    {
      title: 'Memory',
      says: 'What the process holds, its JavaScript objects among it.',
      unit: 'bytes',
      lines: [
        [`process_resident_memory_bytes{${ALL}}`, '{{job}} {{instance}}'],
        [`nodejs_heap_size_used_bytes{${ALL}}`, 'objects {{job}} {{instance}}'],
      ],
    },
  ],
  'Registry and sign-in': [
    {
      title: 'Feeds that wait',
      says: 'Feeds that are older than their packages.',
      unit: 'short',
      lines: [[`max(patchbay_feeds_waiting{${ALL}})`, 'waiting']],
    },
    {
      title: 'Sign-ins under way',
      says: 'Open event streams of authentication intents, and the intents that they watch.',
      unit: 'short',
      lines: [[`sum by (of) (patchbay_intent_streams{${ALL}})`, '{{of}}']],
    },
  ],
  Workspaces: [
    {
      title: 'Held open',
      says: 'Browsers that are connected, the workspaces that they have open, and commands that wait for them.',
      unit: 'short',
      lines: [[`sum by (what) (patchbay_panels_held{${ALL}})`, '{{what}}']],
    },
    {
      title: 'Commands to browsers',
      says: 'What scripts and agents asked of browsers, by what became of it.',
      unit: 'reqps',
      lines: [
        [`sum by (command) (rate(patchbay_panels_commands_total{${ALL}}[$__rate_interval]))`, '{{command}}'],
      ],
    },
  ],
  'Devices and boards': [
    {
      title: 'Connected devices',
      says: 'Each node counts the devices that it has heard of.',
      unit: 'short',
      lines: [[`max(patchbay_devices_connected{${ALL}})`, 'connected']],
    },
    {
      title: 'Values not stored yet',
      says: 'For how long a node could not store what devices say.',
      unit: 's',
      lines: [[`patchbay_devices_unstored_seconds{${ALL}}`, '{{instance}}']],
    },
    {
      title: 'Board jobs',
      says: 'Jobs for KiCad that have not ended, and workers that take them.',
      unit: 'short',
      lines: [
        [`max by (state) (patchbay_board_jobs{${ALL}})`, '{{state}}'],
        [`max(patchbay_board_workers{${ALL}})`, 'workers'],
      ],
    },
    {
      title: 'Oldest board job',
      says: 'For how long the oldest queued job waits.',
      unit: 's',
      lines: [[`max(patchbay_board_oldest_job_seconds{${ALL}})`, 'waiting']],
    },
  ],
  Gateway: [
    {
      title: 'Held',
      says: 'Sockets and registrations of all gateways.',
      unit: 'short',
      lines: [[`sum by (what) (patchbay_gateway_held{${ALL}})`, '{{what}}']],
    },
    {
      title: 'Registrations',
      says: 'By what became of them.',
      unit: 'reqps',
      lines: [
        [
          `sum by (event) (rate(patchbay_gateway_registrations_total{${ALL}}[$__rate_interval]))`,
          '{{event}}',
        ],
      ],
    },
    {
      title: 'Callbacks',
      says: 'By what the person was told.',
      unit: 'reqps',
      lines: [
        [
          `sum by (outcome) (rate(patchbay_gateway_callbacks_total{${ALL}}[$__rate_interval]))`,
          '{{outcome}}',
        ],
      ],
    },
    {
      title: 'Watchdog',
      says: 'The state that it finds the gateway in, failed checks in a row, and restarts.',
      unit: 'short',
      lines: [
        [`patchbay_watchdog_state{${ALL}} == 1`, '{{state}}'],
        [`patchbay_watchdog_gateway_up{${ALL}}`, 'up {{gateway}}'],
        [`patchbay_watchdog_consecutive_failures{${ALL}}`, 'failed checks {{gateway}}'],
        [`patchbay_watchdog_restarts_total{${ALL}}`, 'restarts: {{cause}}'],
      ],
    },
  ],
}

const WIDTH = 24
const PICTURE = { w: 8, h: 8 }

/** As Grafana imports it; whoever imports it chooses the Prometheus. */
export function grafanaDashboard(): object {
  const panels: object[] = []
  let y = 0
  for (const [title, pictures] of Object.entries(DASHBOARD)) {
    panels.push({ id: panels.length + 1, type: 'row', title, gridPos: { x: 0, y, w: WIDTH, h: 1 } })
    y += 1
    for (const [index, picture] of pictures.entries()) {
      const gridPos = {
        ...PICTURE,
        x: (index * PICTURE.w) % WIDTH,
        y: y + Math.floor((index * PICTURE.w) / WIDTH) * PICTURE.h,
      }
      panels.push(panelOf(picture, panels.length + 1, gridPos))
    }
    y += Math.ceil((pictures.length * PICTURE.w) / WIDTH) * PICTURE.h
  }
  return {
    title: 'Patchbay',
    uid: 'patchbay',
    tags: ['patchbay'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
        {
          name: 'job',
          label: 'Process',
          type: 'query',
          datasource: DATASOURCE,
          query: 'label_values(process_cpu_seconds_total{job=~"patchbay-.+"}, job)',
          multi: true,
          includeAll: true,
          current: { text: ['All'], value: ['$__all'] },
          refresh: 2,
        },
      ],
    },
    panels,
  }
}

const DATASOURCE = { type: 'prometheus', uid: '$datasource' }

function panelOf({ title, says, unit, lines }: Picture, id: number, gridPos: object): object {
  return {
    id,
    type: 'timeseries',
    title,
    description: says,
    datasource: DATASOURCE,
    gridPos,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: {
      legend: { displayMode: 'list', placement: 'bottom' },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
    targets: lines.map(([expr, legendFormat], index) => ({
      refId: String.fromCharCode(65 + index),
      datasource: DATASOURCE,
      expr,
      legendFormat,
    })),
  }
}
