import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A key and a certificate of its own for one name. */
export async function certify(name: string) {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-outbound-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-days', '2']
  await promisify(execFile)('openssl', [
    'req',
    '-x509',
    ...curve,
    '-keyout',
    keyFile,
    '-out',
    certFile,
    ...subject,
  ])
  const [key, cert] = await Promise.all([readFile(keyFile), readFile(certFile)])
  return { key, cert, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
