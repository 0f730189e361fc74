import { spawn } from 'node:child_process'
import type { Environment } from '../config/config.ts'
import type { Log } from '../log/index.ts'

/** Beats in the time after which systemd takes the process for hung: two may be late. */
const BEATS_PER_WATCHDOG = 3
/** Ends with its input, and with it when this process ends. */
const SEND_EACH_LINE = 'while read -r message; do systemd-notify "$message"; done'

/**
 * Tells systemd, where it asked for it (`Type=notify`, `WatchdogSec=`), that the process is ready, and from then on that its
 * event loop turns. Node has no datagrams over Unix sockets, `systemd-notify` has; one shell starts it each time, because a
 * large process that starts another stands still meanwhile.
 */
export function notifySystemd({ NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID }: Environment, log: Log): void {
  if (NOTIFY_SOCKET === undefined) return
  const sender = spawn('sh', ['-c', SEND_EACH_LINE], { stdio: ['pipe', 'ignore', 'ignore'] })
  const fail = (error: Error) => log.warn({ err: error }, 'failed to notify systemd')
  sender.on('error', fail)
  sender.stdin.on('error', fail)
  sender.unref()
  sender.stdin.write('READY=1\n')
  const isMeant = WATCHDOG_PID === undefined || Number(WATCHDOG_PID) === process.pid
  if (WATCHDOG_USEC === undefined || !isMeant) return
  const everyMs = Number(WATCHDOG_USEC) / 1000 / BEATS_PER_WATCHDOG
  setInterval(() => sender.stdin.write('WATCHDOG=1\n'), everyMs).unref()
}
