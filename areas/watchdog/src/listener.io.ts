import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const LISTENING = '0A'

/** Pid and command of whoever listens on the port of an address, as far as this user may see; for people only. */
export function describeListener(url: string): string | undefined {
  try {
    const { port } = new URL(url)
    const sockets = listeningSockets(Number(port === '' ? '80' : port))
    const pid = sockets.size === 0 ? undefined : holderOf(sockets)
    return pid === undefined ? undefined : `${pid} (${commandOf(pid)})`
  } catch {
    return undefined
  }
}

function listeningSockets(port: number): Set<string> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const sockets = new Set<string>()
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readOr(table, '').split('\n').slice(1)) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
      if (state === LISTENING && local.endsWith(suffix)) sockets.add(`socket:[${inode}]`)
    }
  }
  return sockets
}

function holderOf(sockets: ReadonlySet<string>): string | undefined {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((pid) => openFiles(pid).some((target) => sockets.has(target)))
}

function openFiles(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((file) => readlinkSync(`/proc/${pid}/fd/${file}`))
  } catch {
    // Another user's process, or one that has just ended.
    return []
  }
}

/** The name only: arguments may hold secrets. */
function commandOf(pid: string): string {
  return readOr(`/proc/${pid}/comm`, 'unknown').trim()
}

function readOr(path: string, fallback: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return fallback
  }
}
