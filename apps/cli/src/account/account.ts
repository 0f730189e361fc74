import { checkBaseUrl } from '@patchbay/client'
import { credentialsFolder, openCredentials, openPendingLogins } from '@patchbay/client/credentials'
import manifest from '../../package.json' with { type: 'json' }
import { failureText } from '../terminal/paint.ts'
import type { CliSurroundings } from '../terminal/surroundings.ts'
import { serverNameFor } from './default-server.ts'
import { Ending, EXIT } from './ending.ts'
import { type Advise, adviceFor, endingOf } from './words.ts'

/** One server, as one user of this machine sees it. */
export interface Account {
  readonly server: string
  readonly credentials: ReturnType<typeof openCredentials>
  readonly pendingLogins: ReturnType<typeof openPendingLogins>
  /** Aborted when the person has had enough. */
  readonly signal: AbortSignal
  readonly userAgent: string
  readonly advise: Advise
  readonly surroundings: CliSurroundings
}

/** Opens the account, does the work, and ends the process with a sentence if it fails. */
export async function withAccount(
  surroundings: CliSurroundings,
  named: string | undefined,
  work: (account: Account) => Promise<void>,
): Promise<void> {
  const { environment, host, printError, paint } = surroundings
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) host.on(signal, () => controller.abort())
  let advise = adviceFor(undefined)
  let server = await serverNameFor(environment, named)
  try {
    server = checkServer(server)
    if (named !== undefined) advise = adviceFor(server)
    const folder = credentialsFolder(environment)
    await work({
      server,
      credentials: openCredentials(folder),
      pendingLogins: openPendingLogins(folder),
      signal: controller.signal,
      userAgent: `patchbay-cli/${manifest.version} (${surroundings.platform})`,
      advise,
      surroundings,
    })
  } catch (error) {
    const { message, exitCode } = endingOf(error, server, advise)
    printError(failureText(paint.error, message))
    host.exit(exitCode)
  }
}

/** The address of an installation, or the advice that its mistake deserves. */
export function checkServer(address: string): string {
  try {
    return checkBaseUrl(address)
  } catch (error) {
    const wrong = error instanceof Error ? error.message.replace('baseUrl', 'The address of the server') : ''
    throw new Ending(EXIT.usage, `${wrong}.\nFor example: --server https://patchbay.example.com`)
  }
}
