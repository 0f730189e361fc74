import { Problem } from '@patchbay/contracts/core'
import { isAllowed } from '../access/rights.store.ts'
import type { PanelsDeps } from '../deps.ts'
import type { Connection } from './room.ts'

/** Connections are spread over so many turns, so that they are never all asked about at once. */
const SLICES = 30
const AT_ONCE = 4

interface SessionCheckDeps extends Pick<PanelsDeps, 'db' | 'access' | 'log'> {
  readonly everyMs: number
  /** Its right to change things has come or gone. */
  readonly onChange: (connection: Connection) => void
  /** It is being closed: nobody shall count on it from now on. */
  readonly onEnd: (connection: Connection) => void
}

/** Looks again and again whether each connection may still be there. */
export class SessionCheck {
  readonly #deps: SessionCheckDeps
  readonly #slices: readonly Set<Connection>[] = Array.from({ length: SLICES }, () => new Set<Connection>())
  readonly #timer: NodeJS.Timeout
  #turn = 0
  #isChecking = false

  constructor(deps: SessionCheckDeps) {
    this.#deps = deps
    this.#timer = setInterval(() => void this.#tick(), deps.everyMs / SLICES).unref()
  }

  get size(): number {
    return this.#slices.reduce((sum, { size }) => sum + size, 0)
  }

  enter(connection: Connection): void {
    this.#slices[connection.number % SLICES]?.add(connection)
  }

  leave(connection: Connection): void {
    this.#slices[connection.number % SLICES]?.delete(connection)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** A turn that takes longer than its time delays the next: the database is slow enough as it is. */
  async #tick(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    this.#turn = (this.#turn + 1) % SLICES
    await this.check([...(this.#slices[this.#turn] ?? [])])
    this.#isChecking = false
  }

  /** At once: somebody was let in, has another role or has to go. */
  async check(connections: readonly Connection[]): Promise<void> {
    for (let start = 0; start < connections.length; start += AT_ONCE)
      await Promise.all(
        connections.slice(start, start + AT_ONCE).map((connection) => this.#check(connection)),
      )
  }

  async #check(connection: Connection): Promise<void> {
    const { access, log, onChange } = this.#deps
    const { headers, caller, room, peer } = connection
    if (room === undefined || !peer.isOpen) return
    try {
      const person = await access.requirePerson({ headers })
      if (person.personId !== caller.personId) return this.#end(connection, 'session_ended')
      const [mayRead, mayChange] = await Promise.all([
        isAllowed(this.#deps, person, 'workspace', room.at, 'read'),
        isAllowed(this.#deps, person, 'workspace', room.at, 'write'),
      ])
      if (!mayRead) return this.#end(connection, 'workspace_not_permitted')
      if (mayChange === connection.mayChange) return
      connection.mayChange = mayChange
      onChange(connection)
    } catch (err) {
      if (err instanceof Problem && err.status < 500) this.#end(connection, 'session_ended')
      else log.debug({ err }, 'failed to check session, retrying later')
    }
  }

  #end(connection: Connection, name: 'session_ended' | 'workspace_not_permitted'): void {
    connection.mayChange = false
    connection.peer.end(name)
    this.#deps.onEnd(connection)
  }
}
