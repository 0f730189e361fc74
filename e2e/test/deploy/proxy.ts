import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './commands.ts'

export const HOST = 'patchbay.example.com'

export interface Proxy extends AsyncDisposable {
  readonly httpPort: number
  readonly httpsPort: number
  readonly certificate: string
  /** Everything it wrote to any log. */
  logs(): Promise<string>
}

/** Text in the example that a test must change, and what it becomes. Each has to occur. */
export type Substitution = readonly [text: string, replacement: string]

export function substitute(text: string, substitutions: readonly Substitution[]): string {
  return substitutions.reduce((result, [part, replacement]) => {
    if (!result.includes(part)) throw new Error(`the example no longer says: ${part}`)
    return result.replaceAll(part, replacement)
  }, text)
}

/** For the public name of the examples, signed by itself. */
export async function createCertificate(folder: string): Promise<string> {
  const options = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${HOST} -addext subjectAltName=DNS:${HOST}`
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  const { code, output } = await run('openssl', [...options.split(' '), ...files])
  if (code !== 0) throw new Error(`openssl made no certificate:\n${output}`)
  return readFile(join(folder, 'fullchain.pem'), 'utf8')
}
