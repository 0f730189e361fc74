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
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`
  const { host, origin } = new URL(publicUrl)
  return {
    publicUrl,
    allowedHosts: [host, ...LOOPBACK_HOSTS, ...config.allowedHosts],
    allowedOrigins: [origin, ...LOOPBACK_HOSTS.map((name) => `http://${name}:${config.port}`)],
  }
}
