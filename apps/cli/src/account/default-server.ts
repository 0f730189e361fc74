import type { DEFAULT_PORTS } from '@patchbay/contracts/limits'
import type { Environment } from '@patchbay/kernel/config'

// The type alone: help is printed without loading what describes the whole wire.
const PORT: (typeof DEFAULT_PORTS)['server'] = 8790

const DEFAULT_SERVER = `http://localhost:${PORT}`

export const SERVER_OPTION_WORDS = `the server; PATCHBAY_SERVER_URL, the one of your last login or ${DEFAULT_SERVER} if not given`

/** The server that a command speaks to: the option, the environment, the last login, or the one on this machine. */
export async function serverNameFor(environment: Environment, named: string | undefined): Promise<string> {
  const told = named ?? (environment['PATCHBAY_SERVER_URL'] || undefined)
  if (told !== undefined) return told
  const { credentialsFolder, findLastServer, openCredentials } = await import('@patchbay/client/credentials')
  return (await findLastServer(openCredentials(credentialsFolder(environment)))) ?? DEFAULT_SERVER
}
