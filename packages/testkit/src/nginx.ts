import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from './ports.ts'
import { startProcess, waitUntil } from './processes.ts'

/** Where one nginx lives; its configuration is written for it. */
export interface NginxPlace {
  /** Free ports on 127.0.0.1, as many as were asked for. */
  readonly ports: readonly number[]
  readonly port: number
  /** Relative paths in the configuration start here. Removed in the end. */
  readonly folder: string
}

export interface NginxOptions {
  /**
   * Writes the inside of `http { }`. It is called again with other ports when another process took one
   * of them between looking and binding.
   */
  readonly config: (place: NginxPlace) => string | Promise<string>
  /** How many ports the configuration listens on; 1 unless told otherwise. */
  readonly ports?: number
}

export interface RunningNginx extends NginxPlace, AsyncDisposable {
  /** `http://127.0.0.1:<first port>` */
  readonly url: string
  readonly pid: number
  /** The error log so far. */
  output(): string
}

const ATTEMPTS = 4
const PORT_TAKEN = 'Address already in use'

/** Starts a real nginx and resolves when it accepts connections on every one of its ports. */
export async function startNginx({ config, ports = 1 }: NginxOptions): Promise<RunningNginx> {
  const binary = await findNginx()
  for (let attempt = 1; ; attempt += 1) {
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-nginx-'))
    const remove = () => rm(folder, { recursive: true, force: true })
    try {
      const place = await findPlace(folder, ports)
      return await launch(binary, place, await config(place), remove)
    } catch (error) {
      await remove()
      const raced = error instanceof Error && error.message.includes(PORT_TAKEN)
      if (!raced || attempt === ATTEMPTS) throw error
    }
  }
}

async function launch(
  binary: string,
  place: NginxPlace,
  http: string,
  remove: () => Promise<void>,
): Promise<RunningNginx> {
  const { folder, port, ports } = place
  await writeFile(join(folder, 'nginx.conf'), wholeConfig(http))
  const nginx = startProcess(binary, ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'])
  const ended = () => nginx.child.exitCode !== null || nginx.child.signalCode !== null || nginx.pid === -1
  try {
    await waitUntil('nginx to accept connections', async () => {
      if (ended() || nginx.output().includes(PORT_TAKEN)) throw new Error('it ended or has no port')
      // The pid file comes after the bind: whoever answers on the ports from then on is this nginx.
      if (!(await exists(join(folder, 'nginx.pid')))) return false
      return (await Promise.all(ports.map(accepts))).every(Boolean)
    })
  } catch (cause) {
    await nginx.kill('SIGKILL')
    throw new Error(`nginx did not start, ${String(cause)}:\n${nginx.output()}`, { cause })
  }
  return {
    folder,
    port,
    ports,
    url: `http://127.0.0.1:${port}`,
    pid: nginx.pid,
    output: () => nginx.output(),
    async [Symbol.asyncDispose]() {
      await nginx.kill()
      await remove()
    },
  }
}

/**
 * One process instead of master and workers: it keeps the user it was started by, root or not, and
 * a killed one leaves no workers behind that hold its ports.
 */
function wholeConfig(http: string): string {
  return `daemon off;
master_process off;
pid nginx.pid;
error_log stderr notice;
events { worker_connections 1024; }
http {
access_log access.log;
client_body_temp_path temp-body;
proxy_temp_path temp-proxy;
fastcgi_temp_path temp-fastcgi;
uwsgi_temp_path temp-uwsgi;
scgi_temp_path temp-scgi;
${http}
}
`
}

async function findPlace(folder: string, count: number): Promise<NginxPlace> {
  const found = new Set([await freePort()])
  while (found.size < count) found.add(await freePort())
  const [port = 0, ...others] = found
  return { folder, port, ports: [port, ...others] }
}

async function findNginx(): Promise<string> {
  // Debian keeps nginx in sbin, which is not on everybody's PATH.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  for (const folder of folders) if (await exists(join(folder, 'nginx'))) return join(folder, 'nginx')
  throw new Error('nginx is missing. Debian: apt-get install nginx-light')
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1')
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
