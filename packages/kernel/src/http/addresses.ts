import { localAddress } from '@patchbay/contracts/limits'

export interface Addresses {
  readonly publicUrl: string
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
}

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** Which names the server answers for, and which pages may change state through it. */
export function addressesOf(config: {
  readonly publicUrl: string | undefined
  readonly port: number
  readonly allowedHosts: readonly string[]
}): Addresses {
  const publicUrl = config.publicUrl ?? localAddress(config.port)
  const { host, origin } = new URL(publicUrl)
  return {
    publicUrl,
    allowedHosts: [host, ...LOOPBACK_HOSTS, ...config.allowedHosts],
    allowedOrigins: [origin, ...LOOPBACK_HOSTS.map((name) => `http://${name}:${config.port}`)],
  }
}

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/

/** Whether a host, to bind or of an address, can only mean this machine. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host)
}
