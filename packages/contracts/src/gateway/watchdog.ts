import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'

/** What the watchdog can say about its gateway. */
export const WATCHDOG_STATES = [
  'stopped',
  'starting',
  'healthy',
  'unhealthy',
  'stopping',
  'backing-off',
  'crash-loop',
  'foreign',
  'refused',
] as const
export type WatchdogState = (typeof WATCHDOG_STATES)[number]

const time = (description: string) => Type.String({ format: 'date-time', description })
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

const healthCheck = Type.Object({
  at: time('When the answer, or its absence, was known.'),
  ok: Type.Boolean(),
  durationMs: Type.Integer(),
  reason: orNull(Type.String({ description: 'Why it counts as failed.' })),
})

const lastExit = Type.Object({
  at: time('When it was noticed.'),
  code: orNull(Type.Integer()),
  signal: orNull(Type.String()),
  reason: Type.String({ description: 'One sentence. It says so when the exit code cannot be known.' }),
  lastErrors: Type.Array(Type.String(), {
    description:
      'The end of what the gateway wrote to standard error, 20 lines and 4 KB at most. Empty for callers that are not on this machine.',
  }),
})

const orphan = Type.Object({
  pid: orNull(Type.Integer()),
  outcome: Type.Enum(['adopted', 'gone', 'refused']),
  reason: Type.String(),
})

const watchdogStatus = Type.Object(
  {
    state: Type.Enum([...WATCHDOG_STATES]),
    detail: Type.String({ description: 'The state in one sentence, for people.' }),
    wanted: Type.Enum(['running', 'stopped'], {
      description:
        'What was asked for last. A stopped gateway stays stopped, also when the watchdog restarts.',
    }),
    autoRestart: Type.Boolean(),
    restartCount: Type.Integer({ description: 'All restarts since the state folder was made.' }),
    restarts: Type.Object({
      exited: Type.Integer({ description: 'After the gateway had exited by itself.' }),
      unhealthy: Type.Integer({ description: 'After too many failed health checks in a row.' }),
      commanded: Type.Integer({ description: 'By `POST /restart`.' }),
    }),
    consecutiveFailures: Type.Integer({ description: 'Failed health checks in a row.' }),
    failuresBeforeRestart: Type.Integer(),
    crashLoop: Type.Boolean({
      description: 'Many failures in a row of a gateway that never became healthy.',
    }),
    retryAt: orNull(time('When the next start is tried, while backing off.')),
    gateway: Type.Object({
      url: Type.String(),
      pid: orNull(Type.Integer()),
      instance: orNull(
        Type.String({ description: 'The id that this run of the gateway reports in `/health`.' }),
      ),
      adopted: Type.Boolean({ description: 'It was started by an earlier watchdog.' }),
      startedAt: orNull(time('When this watchdog started or adopted it.')),
    }),
    lastHealthCheck: orNull(healthCheck),
    lastExit: orNull(lastExit),
    orphan: orNull(orphan),
    watchdog: Type.Object({ pid: Type.Integer(), startedAt: time('When the watchdog started.') }),
  },
  { description: 'The gateway as its watchdog sees it' },
)

export type WatchdogStatus = Static<typeof watchdogStatus>

const command = {
  method: 'POST',
  tag: 'Watchdog',
  responses: { 200: watchdogStatus },
  problems: ['origin_not_allowed', 'token_required', 'rate_limited', 'deadline_exceeded', 'shutting_down'],
} as const

export const getWatchdogStatus = endpoint({
  method: 'GET',
  path: '/status',
  name: 'getWatchdogStatus',
  summary: 'How the gateway is, when it was last asked, and how often it was restarted',
  description: 'Answered from memory: it never waits for the gateway.',
  tag: 'Watchdog',
  responses: { 200: watchdogStatus },
  problems: ['token_required'],
})

export const postStart = endpoint({
  ...command,
  path: '/start',
  name: 'postStart',
  summary: 'Start the gateway',
  description:
    'Answers once the gateway is healthy, has failed to start, or is still starting after a while: see `state`. ' +
    'Changes nothing when it runs already.',
  problems: [...command.problems, 'gateway_not_ours'],
})

export const postStop = endpoint({
  ...command,
  path: '/stop',
  name: 'postStop',
  summary: 'Stop the gateway, and keep it stopped',
  description: 'SIGTERM, time to drain, then SIGKILL of its process group. Answers once it is gone.',
})

export const postRestart = endpoint({
  ...command,
  path: '/restart',
  name: 'postRestart',
  summary: 'Stop the gateway if it runs, then start it',
  problems: [...command.problems, 'gateway_not_ours'],
})

export const postWatchdog = endpoint({
  ...command,
  path: '/watchdog',
  name: 'postWatchdog',
  summary: 'Switch auto-restart on or off',
  description: 'Without `autoRestart` the switch is toggled; with it it is set. It is remembered.',
  body: orNull(Type.Object({ autoRestart: Type.Optional(Type.Boolean()) }, { additionalProperties: false })),
  bodyIsOptional: true,
})
