import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readProcessStat } from '@patchbay/primitives/process'
import { freePort } from '@patchbay/testkit/ports'
import { childrenOf } from '@patchbay/testkit/postgres-family'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'

/** What a process of a measurement does when its parent asks: one argument in, one answer out. */
export type Commands = Record<string, (argument: never) => Promise<unknown>>

interface Question {
  readonly name: string
  readonly argument: unknown
}

type Answer = { readonly value: unknown } | { readonly failure: string }

/** In the child. Questions are answered one after the other. */
export function serveParent(commands: Commands): void {
  process.once('disconnect', () => process.exit(0))
  process.on('message', ({ name, argument }: Question) => {
    const command = commands[name]
    if (command === undefined) throw new Error(`no command ${name}`)
    void command(argument as never).then(
      (value) => process.send?.({ value: value ?? null } satisfies Answer),
      (error: unknown) => process.send?.({ failure: String(error) } satisfies Answer),
    )
  })
}

export interface Worker<C extends Commands> extends Disposable {
  readonly pid: number
  ask<Name extends keyof C & string>(
    name: Name,
    ...argument: Parameters<C[Name]>
  ): Promise<Awaited<ReturnType<C[Name]>>>
}

const DEADLINE_MS = 180_000

/** In the parent. */
export function startWorker<C extends Commands>(file: URL): Worker<C> {
  const child = fork(file, [], { execArgv: [] })
  return {
    pid: child.pid ?? -1,
    async ask(name, ...[argument]) {
      const answer = await askChild<Answer>(child, { name, argument } satisfies Question)
      if ('failure' in answer) throw new Error(`${file.pathname}: ${answer.failure}`)
      return answer.value as never
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}

/** Sends a message and returns the next one; fails when the process ends or stays silent. */
export function askChild<Reply>(child: ChildProcess, message: Question | string): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const onMessage = (reply: unknown) => resolve(reply as Reply)
  const onExit = (code: number | null) => reject(new Error(`ended with ${code} before it answered`))
  const timer = setTimeout(() => reject(new Error(`no answer within ${DEADLINE_MS} ms`)), DEADLINE_MS)
  child.once('message', onMessage).once('exit', onExit)
  child.send(message)
  return promise.finally(() => {
    clearTimeout(timer)
    child.off('message', onMessage).off('exit', onExit)
  })
}

export interface RunningNode extends AsyncDisposable {
  readonly port: number
  readonly pid: number
  readonly running: RunningProcess
}

const CLI = fileURLToPath(new URL('../../apps/cli/src/main.ts', import.meta.url))
const PORTS = {
  server: 'PATCHBAY_PORT',
  gateway: 'PATCHBAY_GATEWAY_PORT',
  viewer: 'PATCHBAY_VIEWER_PORT',
} as const
const WITH_MESSAGES = { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] as ('ignore' | 'pipe' | 'ipc')[] }

/** The product as an operator starts it. */
export async function startProduct(
  command: keyof typeof PORTS,
  env: Readonly<Record<string, string | undefined>>,
  nodeArguments: readonly string[] = process.execArgv,
): Promise<RunningNode> {
  const { PATH = '', TMPDIR = tmpdir() } = process.env
  const port = await freePort()
  const own = {
    PATH,
    TMPDIR,
    [PORTS[command]]: `${port}`,
    PATCHBAY_DRAIN_SECONDS: '3',
    PATCHBAY_LOG_LEVEL: 'warn',
  }
  const running = startProcess(process.execPath, [...nodeArguments, CLI, command], {
    ...WITH_MESSAGES,
    env: { ...own, ...env },
  })
  // It answers 503 until it reaches its bus and its database.
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/ready`, { redirect: 'manual' }).then(
      ({ status }) => status < 500,
      () => false,
    )
  return await listening(running, port, isReady)
}

/** A prototype of ours, which is told its port first. It may know no path, so that only the port can tell that it is there. */
export async function startScript(
  file: URL,
  args: readonly string[] = [],
  nodeArguments: readonly string[] = process.execArgv,
): Promise<RunningNode> {
  const port = await freePort()
  const all = [...nodeArguments, fileURLToPath(file), `${port}`, ...args]
  const running = startProcess(process.execPath, all, WITH_MESSAGES)
  return await listening(running, port, () => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    return promise.finally(() => socket.destroy())
  })
}

async function listening(
  running: RunningProcess,
  port: number,
  isReady: () => Promise<boolean>,
): Promise<RunningNode> {
  const probe = async () => {
    if (running.child.exitCode !== null) throw new Error(`a node ended:\n${running.output()}`)
    return await isReady()
  }
  try {
    await waitUntil('a node listens', probe, { deadlineMs: 60_000 })
  } catch (error) {
    await running.kill('SIGKILL')
    throw new Error(`a node did not start:\n${running.output()}`, { cause: error })
  }
  return { port, pid: running.pid, running, [Symbol.asyncDispose]: () => running.kill() }
}

/** In milliseconds: the same in all processes of the machine, which `performance.now()` is not. */
export const sharedNow = () => Number(process.hrtime.bigint()) / 1e6

const TICKS_PER_SECOND = 100

/** In seconds. A process that has left has none anymore. */
export const cpuOf = async (pid: number) => (readProcessStat(pid)?.cpuTicks ?? 0) / TICKS_PER_SECOND

/** CPU seconds of children that have ended. */
export const cpuOfEnded = async (pid: number) =>
  (readProcessStat(pid)?.endedChildrenCpuTicks ?? 0) / TICKS_PER_SECOND

const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0)

export const cpuOfAll = async (pids: readonly number[]) => sum(await Promise.all(pids.map(cpuOf)))

/** The postmaster, its backends, and those that have left. */
export async function cpuOfPostgres(postmaster: number): Promise<number> {
  return (await cpuOfAll([postmaster, ...childrenOf(postmaster)])) + (await cpuOfEnded(postmaster))
}

/** What some work costs each of these, in microseconds. */
export async function withCpu<Name extends string, Result>(
  meters: Readonly<Record<Name, () => Promise<number>>>,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly cpu: Readonly<Record<Name, number>> }> {
  const names = Object.keys(meters) as Name[]
  const read = () => Promise.all(names.map((name) => meters[name]()))
  const before = await read()
  const result = await work()
  const after = await read()
  const costs = names.map((name, index) => [name, ((after[index] ?? 0) - (before[index] ?? 0)) * 1e6])
  return { result, cpu: Object.fromEntries(costs) as Record<Name, number> }
}

/** Works on all numbers below `count`, so many at a time. */
export async function inLanes(
  lanes: number,
  total: number,
  work: (index: number, lane: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const run = async (_: unknown, lane: number) => {
    while (next < total) {
      const index = next
      next += 1
      await work(index, lane)
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, total) }, run))
}

export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-bench-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
