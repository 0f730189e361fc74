import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { withFreePort } from '@patchbay/testkit/ports'
import { startRedis } from '@patchbay/testkit/redis'
import { describe, expect } from 'vitest'
import { createRedisBus } from '../../src/bus/index.ts'
import { systemClock } from '../../src/clock/index.ts'
import { Secret } from '../../src/log/index.ts'
import { refusal } from './rig.ts'

describe('a Redis that is not open to everybody', () => {
  test('[K-576] is used with its password, and refuses without', async () => {
    await using redis = await startRedis({ args: ['--requirepass', 'correct horse'] })
    const at = (login: string) => new Secret(redis.url.replace('redis://', `redis://${login}`))
    await using bus = await createRedisBus({ url: at(':correct%20horse@'), node: 'a', clock: systemClock })
    await expect(bus.ping()).resolves.toBeUndefined()
    const fast = { clock: systemClock, commandTimeoutMs: 200 }
    await using wrong = await createRedisBus({ url: at(':wrong@'), node: 'b', ...fast })
    await using missing = await createRedisBus({ url: at(''), node: 'c', ...fast })
    expect((await refusal(() => wrong.ping())).code).toBe('bus_unavailable')
    expect((await refusal(() => missing.ping())).code).toBe('bus_unavailable')
  })

  deepTest('[K-576] is reached over TLS, if its certificate is trusted', async () => {
    await using certificate = await makeCertificate()
    const { key, cert } = certificate
    await using tls = await withFreePort(async (port) => {
      const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert]
      const redis = await startRedis({
        args: ['--tls-port', `${port}`, '--tls-auth-clients', 'no', ...files],
      })
      return { port, [Symbol.asyncDispose]: () => redis[Symbol.asyncDispose]() }
    })
    const url = `rediss://127.0.0.1:${tls.port}`
    const ca = await readFile(cert, 'utf8')
    await using bus = await createRedisBus({ url, node: 'a', clock: systemClock, ca })
    await expect(bus.ping()).resolves.toBeUndefined()
    const distrustful = { url, clock: systemClock, commandTimeoutMs: 300 }
    await using other = await createRedisBus({ ...distrustful, node: 'b' })
    expect((await refusal(() => other.ping())).code).toBe('bus_unavailable')
    // Closed at random moments of the handshake, none of which may end the process.
    for (let waitMs = 0; waitMs < 40; waitMs += 1) {
      const brief = await createRedisBus({
        ...distrustful,
        node: `n${waitMs}`,
        commandTimeoutMs: Math.ceil(waitMs / 8),
      })
      await brief.close()
    }
  })
})

async function makeCertificate() {
  const directory = await mkdtemp(join(tmpdir(), 'patchbay-tls-'))
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  await promisify(execFile)('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...subject])
  return { key, cert, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) }
}
