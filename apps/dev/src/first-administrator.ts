import type { Environment } from '@patchbay/kernel/config'
import { printFirstAdminLink } from '@patchbay/server'

export interface AdminLinkOptions {
  /** With which the server was started: the link is at its public address, in its database. */
  readonly environment: Environment
  readonly runId: string
  readonly createSecret: () => string
}

/** The link that `patchbay admin link` prints, or `undefined` when somebody is an administrator already. */
export async function firstAdminLink(options: AdminLinkOptions): Promise<string | undefined> {
  const printed: string[] = []
  const faults: string[] = []
  await printFirstAdminLink({
    ...options,
    createNonce: options.createSecret,
    host: { on: () => undefined, exit: () => undefined },
    print: (text) => printed.push(text),
    printError: (text) => faults.push(text),
  })
  // A link comes with its explanation; words without one are why there is none.
  const [link] = printed
  if (link === undefined && faults.length > 0)
    throw new Error(`No link for the first administrator could be made.\n${faults.join('\n')}`)
  return link
}
