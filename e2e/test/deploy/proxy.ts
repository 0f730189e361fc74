import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './commands.ts'

export const HOST = 'patchbay.example.com'
export const GATEWAY_HOST = 'gateway.example.com'
export const PAGES_HOST = 'pages.example.com'

export interface Proxy extends AsyncDisposable {
  /** The public name that it answers for. */
  readonly host: string
  readonly httpPort: number
  readonly httpsPort: number
  readonly certificate: string
  /** Everything it wrote, to any log or other file. */
  logs(): Promise<string>
}

/** Text in the example that a test must change, and what it becomes. Each has to occur. */
export type Substitution = readonly [text: string, replacement: string]

/** Starts an example in front of nodes on these ports. */
export type StartProxy = (nodes: readonly number[], more?: readonly Substitution[]) => Promise<Proxy>

export function substitute(text: string, substitutions: readonly Substitution[]): string {
  return substitutions.reduce((result, [part, replacement]) => {
    if (!result.includes(part)) throw new Error(`the example no longer says: ${part}`)
    return result.replaceAll(part, replacement)
  }, text)
}

/** For the public name of an example, signed by itself. */
export async function createCertificate(folder: string, host: string): Promise<string> {
  const options = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${host} -addext subjectAltName=DNS:${host}`
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  const { code, output } = await run('openssl', [...options.split(' '), ...files])
  if (code !== 0) throw new Error(`openssl made no certificate:\n${output}`)
  return readFile(join(folder, 'fullchain.pem'), 'utf8')
}

const GIVEN = /^(nginx\.conf|Caddyfile|.*\.pem)$/

/** Every file below a proxy's folder but those that it was given, one after the other. */
export async function readWritten(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !GIVEN.test(entry.name))
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')),
  )
  return texts.join('\n')
}
