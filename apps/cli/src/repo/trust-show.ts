import type { SignedFile } from '@patchbay/package-trust/signing'
import { EXIT } from '../account/ending.ts'
import { timeInWords } from '../account/words.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { tableOf } from '../terminal/table.ts'
import { describeFile, newestRoot, readTrust } from './trust-folder.ts'

const DAY_MS = 86_400_000
const SOON_DAYS = 30

/** `patchbay repo trust show`. */
export async function showTrust({ surroundings }: Task, folder: string): Promise<Outcome> {
  const trust = await readTrust(folder)
  const { description } = newestRoot(trust)
  const now = surroundings.now()
  const roots = trust.roots.map((file) => {
    const { version, expires, signedBy } = describeFile(file, folder)
    return { file: file.name, version, expires: expires.toISOString(), signed_by: signedBy }
  })
  const targets = trust.targets.at(-1)
  const targetsExpire = targets === undefined ? undefined : expiryOf(targets)
  const ends = [description.expires.getTime(), targetsExpire?.getTime() ?? Infinity]
  const isExpired = ends.some((end) => end <= now)
  return {
    json: {
      folder,
      is_expired: isExpired,
      root: {
        version: description.version,
        expires: description.expires.toISOString(),
        roles: description.roles,
      },
      roots,
      ...(targets === undefined || targetsExpire === undefined
        ? {}
        : { targets: { file: targets.name, expires: targetsExpire.toISOString() } }),
    },
    text: [
      `Root ${description.version} of ${folder}: ${until(description.expires, now)}`,
      ...(targets === undefined || targetsExpire === undefined
        ? []
        : [`${targets.name}: ${until(targetsExpire, now)}`]),
      '',
      tableOf([
        ['role', 'needs', 'keys'],
        ...Object.entries(description.roles).map(([role, { threshold, keyIds }]) => [
          role,
          `${threshold} of ${keyIds.length}`,
          keyIds.map((id) => id.slice(0, 16)).join(' '),
        ]),
      ]),
      '',
      `Roots so far: ${roots.map(({ version }) => version).join(', ')}. Keep them all: clients follow them one by one.`,
    ].join('\n'),
    exitCode: isExpired ? EXIT.failed : 0,
  }
}

function until(expires: Date, now: number): string {
  const days = Math.floor((expires.getTime() - now) / DAY_MS)
  const time = timeInWords(expires.toISOString())
  if (expires.getTime() <= now)
    return `EXPIRED on ${time}; clients refuse it. Sign the next one with "repo trust rotate".`
  return days < SOON_DAYS
    ? `until ${time}, in ${days} days: sign the next one now`
    : `until ${time}, for ${days} days`
}

function expiryOf({ bytes }: SignedFile): Date {
  const { signed } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { signed?: { expires?: string } }
  return new Date(signed?.expires ?? 0)
}
