import { accessSync, constants, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const DEBIAN = '/usr/lib/postgresql'

/** The folder that holds both `initdb` and `postgres`: Debian's highest version, else the first one on PATH. */
export function findPostgresBinaries(): string {
  const folders = [...debianFolders(), ...(process.env['PATH'] ?? '').split(delimiter)]
  const found = folders.find((folder) => isExecutable(folder, 'initdb') && isExecutable(folder, 'postgres'))
  if (found === undefined) {
    throw new Error(
      `no initdb and postgres under ${DEBIAN} or on PATH: install Debian's "postgresql" or its like`,
    )
  }
  return found
}

/** PostgreSQL refuses to run as root, so root hands it to an account that owns nothing. */
export function unprivilegedAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  for (const wanted of ['postgres', 'nobody']) {
    const account = accounts.find(([name]) => name === wanted)
    if (account !== undefined) return { uid: Number(account[2]), gid: Number(account[3]) }
  }
  throw new Error('running as root, and neither "postgres" nor "nobody" is an account here')
}

function debianFolders(): string[] {
  try {
    return readdirSync(DEBIAN)
      .filter((name) => /^\d+$/.test(name))
      .toSorted((a, b) => Number(b) - Number(a))
      .map((version) => join(DEBIAN, version, 'bin'))
  } catch {
    return []
  }
}

function isExecutable(folder: string, name: string): boolean {
  try {
    accessSync(join(folder, name), constants.X_OK)
    return true
  } catch {
    return false
  }
}
