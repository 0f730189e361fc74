import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '@patchbay/kernel/config'
import { isOwn } from './user-folders.ts'

const DAY_MS = 86_400_000
const VERSION_FORM = /^(\d+)\.(\d+)\.(\d+)$/

interface Place {
  readonly environment: Environment
  /** The user's own, for what may be deleted at any time. */
  readonly folder: string
  readonly version: string
  readonly now: number
}

/**
 * What to tell a person about a newer version, if anything. npm is asked at most once a day, where it looks for packages
 * anyway, and nobody waits for it: its answer is what the next command reads.
 */
export function updateNotice({ environment, folder, version, now }: Place): string | undefined {
  if (environment['PATCHBAY_UPDATE_NOTICE'] === 'off' || environment['CI'] !== undefined) return undefined
  const file = join(folder, 'latest-version')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!isOwn(folder)) return undefined
    const known = statSync(file, { throwIfNoEntry: false })
    const latest = known === undefined ? '' : readFileSync(file, 'utf8').trim()
    // After what is known was read: asking empties the file.
    if (known === undefined || now - known.mtimeMs > DAY_MS) askNpm(file)
    if (!isNewer(latest, version)) return undefined
    return `\nPatchbay ${latest} is out, and this is ${version}. To get it: npm install --global @patchbay/cli\nPATCHBAY_UPDATE_NOTICE=off in the environment ends these notices.`
  } catch {
    // A home that cannot be written, or a machine without npm, costs the notice and nothing else.
    return undefined
  }
}

function askNpm(file: string): void {
  const output = openSync(file, 'w', 0o600)
  spawn('npm', ['view', '@patchbay/cli', 'version'], { stdio: ['ignore', output, 'ignore'], detached: true })
    .on('error', () => undefined)
    .unref()
  closeSync(output)
}

export function isNewer(candidate: string, version: string): boolean {
  const [ours, theirs] = [VERSION_FORM.exec(version), VERSION_FORM.exec(candidate)]
  if (ours === null || theirs === null) return false
  const place = [1, 2, 3].find((index) => ours[index] !== theirs[index])
  return place !== undefined && Number(theirs[place]) > Number(ours[place])
}
