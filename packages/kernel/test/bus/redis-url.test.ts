import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parseRedisUrl } from '../../src/bus/redis/url.ts'

describe('the Redis URL', () => {
  test('[K-561] names one server', () => {
    expect(parseRedisUrl('redis://redis.internal')).toEqual({
      kind: 'standalone',
      tls: false,
      address: { host: 'redis.internal', port: 6379 },
      db: 0,
    })
    const secure = parseRedisUrl('rediss://ada:p%40ss%2Fword@[::1]:7000/3')
    expect(secure).toMatchObject({
      kind: 'standalone',
      tls: true,
      address: { host: '::1', port: 7000 },
      db: 3,
      username: 'ada',
    })
    expect(secure.password?.reveal()).toBe('p@ss/word')
    expect(parseRedisUrl('redis://:secret@h').username).toBeUndefined()
  })

  test('[K-561] names sentinels and their master', () => {
    expect(parseRedisUrl('redis+sentinel://a:1,b,c:3/main')).toEqual({
      kind: 'sentinel',
      tls: false,
      sentinels: [
        { host: 'a', port: 1 },
        { host: 'b', port: 26_379 },
        { host: 'c', port: 3 },
      ],
      master: 'main',
      db: 0,
      sentinelLogin: false,
    })
    expect(parseRedisUrl('rediss+sentinel://u:p@a/main/2?sentinel_login=same')).toMatchObject({
      tls: true,
      db: 2,
      username: 'u',
      sentinelLogin: true,
    })
  })

  test('[K-561] names some nodes of a cluster', () => {
    expect(parseRedisUrl('redis+cluster://a:1,b:2')).toEqual({
      kind: 'cluster',
      tls: false,
      nodes: [
        { host: 'a', port: 1 },
        { host: 'b', port: 2 },
      ],
    })
    expect(parseRedisUrl('rediss+cluster://:p@a/')).toMatchObject({ kind: 'cluster', tls: true })
  })

  test.for([
    ['http://a', 'must begin with redis://'],
    ['redis+cluster:a', 'must begin with redis://'],
    ['redis://', 'host 1'],
    ['redis://a:0', 'host 1'],
    ['redis://a:65536', 'host 1'],
    ['redis+cluster://a:1,,c', 'host 2'],
    ['redis+cluster://a:1,b:x', 'host 2'],
    ['redis://a,b', 'redis+sentinel:// or redis+cluster://'],
    ['redis://a/one', 'the database is a number'],
    ['redis://a/1/2', 'the path must be empty'],
    ['redis+cluster://a/1', 'a cluster has no databases'],
    ['redis+sentinel://a', '/master-name'],
    ['redis+sentinel://a/m/1/2', '/master-name'],
    ['redis+sentinel://a/m/x', 'the database is a number'],
    ['redis://ada@a', 'user:password'],
    ['redis://:%zz@a', 'hexadecimal'],
    ['redis://a?db=1', 'the only known option'],
    ['redis://a?sentinel_login=same', 'for redis+sentinel:// only'],
  ] as const)('[K-561] %s is refused: %s', ([url, why]) => {
    expect(() => parseRedisUrl(url)).toThrow(why)
  })

  test('[K-561] no message and no printed target shows the password', () => {
    const wrong = [
      'redis://u:hunter2@h:port',
      'redis://u:hun/ter2@h',
      'redis://u:hunter2@h/db',
      'redis:/u:hunter2@h',
    ]
    for (const url of wrong) {
      expect(() => parseRedisUrl(url)).toThrow(/^the Redis URL is not usable: (?!.*hun)/)
    }
    expect(inspect(parseRedisUrl('redis://u:hunter2@h'), { depth: 5 })).not.toContain('hunter2')
  })
})
