import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { Socket } from 'node:net'
import { threadId } from 'node:worker_threads'

/**
 * Loaded by `--import` into a process and each of its threads: writes down every module that is loaded, every name that is
 * looked up and every connection that is opened. Threads have no environment, so the file to write to is in its own address.
 */
const file = new URL(import.meta.url).searchParams.get('to') ?? ''
const note = (what: string, value: unknown) => appendFileSync(file, `${threadId} ${what} ${String(value)}\n`)

note('thread', Object.keys(process.env).length === 0 ? 'without environment' : 'with environment')
registerHooks({
  load(url, context, next) {
    note('module', url)
    return next(url, context)
  },
})

/** Writes down the first argument of each call. */
function record(what: string, owner: object, method: string): void {
  const original: unknown = Reflect.get(owner, method)
  if (typeof original !== 'function') throw new Error(`there is no ${method}`)
  Reflect.set(owner, method, function recorded(this: unknown, ...args: unknown[]): unknown {
    note(what, JSON.stringify(args[0]))
    return Reflect.apply(original, this, args)
  })
}

record('connect', Socket.prototype, 'connect')
record('lookup', dns, 'lookup')
