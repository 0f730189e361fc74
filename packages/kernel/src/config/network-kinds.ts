import { isIP } from 'node:net'
import { parseRedisUrl } from '../bus/redis/url.ts'
import { parseHost } from '../http/allowed-hosts.ts'
import { Secret } from '../log/index.ts'
import type { Kind } from './setting.ts'

export const hostName: Kind<string> = {
  accepts: 'host name, with or without a port',
  parse: (value) => {
    if (parseHost(value) === undefined) throw new Error(`"${value}" is not a host name`)
    return value
  },
}

export const network: Kind<string> = {
  accepts: 'address or network such as `10.0.0.0/8`',
  parse: (value) => {
    const [address = '', prefix] = value.split('/')
    const most = isIP(address) === 6 ? 128 : 32
    const sound = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= most)
    if (isIP(address) === 0 || !sound) throw new Error(`"${value}" is neither an address nor a network`)
    return value
  },
}

export const redisUrl: Kind<Secret> = {
  accepts: 'URL (`redis://`, `redis+sentinel://`, `redis+cluster://`, each also as `rediss`), kept secret',
  secret: true,
  parse: (value) => {
    parseRedisUrl(value)
    return new Secret(value)
  },
}
