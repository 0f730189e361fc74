import { type ChildProcess, fork } from 'node:child_process'

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
    argument: Parameters<C[Name]>[0],
  ): Promise<Awaited<ReturnType<C[Name]>>>
}

const DEADLINE_MS = 180_000

/** In the parent. */
export function startWorker<C extends Commands>(file: URL): Worker<C> {
  const child = fork(file, [], { execArgv: [] })
  return {
    pid: child.pid ?? -1,
    async ask(name, argument) {
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
