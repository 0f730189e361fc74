import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess, waitUntil } from './processes.ts'

/** systemd's end of a notification socket, for a process that a test starts in the place of a unit. */
export interface NotifySocket extends AsyncDisposable {
  /** What systemd gives to a unit with `Type=notify` and this `WatchdogSec`. */
  environment(watchdogSeconds: number): Record<string, string>
  /** How often something was said, `READY=1` or `WATCHDOG=1`. */
  heard(message: string): number
}

/** Node has no datagrams over Unix sockets. A descriptor that comes along is dropped, for which its sender waits. */
const PRINT_DATAGRAMS = `
  use IO::Socket::UNIX;
  $| = 1;
  my $socket = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => $ARGV[0]) or die $!;
  while (defined $socket->recv(my $said, 4096)) { print "$said\\n" }
`

/** Contributors need no systemd: where it is missing, tests of what it is told are shown as skipped. */
export const noSystemdNotify = !existsSync('/usr/bin/systemd-notify')

export async function listenAsSystemd(): Promise<NotifySocket> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-notify-'))
  const path = join(folder, 'socket')
  const receiver = startProcess('perl', ['-e', PRINT_DATAGRAMS, path])
  let said = ''
  receiver.child.stdout?.on('data', (data: Buffer) => {
    said += data.toString()
  })
  await waitUntil('the socket is there', () => existsSync(path))
  return {
    environment: (watchdogSeconds) => ({
      NOTIFY_SOCKET: path,
      WATCHDOG_USEC: String(watchdogSeconds * 1_000_000),
    }),
    heard: (message) => said.split(message).length - 1,
    async [Symbol.asyncDispose]() {
      await receiver.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
