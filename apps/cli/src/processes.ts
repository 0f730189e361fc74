import type { Surroundings } from '@patchbay/kernel/lifecycle'
import { EXIT } from './account/ending.ts'
import { VERSION } from './version.ts'

/**
 * Packages of their own: whoever installs packages or drives a workspace needs no database driver and no image codec.
 * Loaded by the commands that need them, so that help and mistakes are answered without waiting.
 */
const PROCESSES = {
  server: {
    title: 'The server',
    packageName: '@patchbay/server',
    load: () => import('@patchbay/server'),
  },
  gateway: {
    title: 'The gateway',
    packageName: '@patchbay/gateway-app',
    load: () => import('@patchbay/gateway-app'),
  },
  watchdog: {
    title: 'The watchdog',
    packageName: '@patchbay/watchdog-app',
    load: () => import('@patchbay/watchdog-app'),
  },
  worker: {
    title: 'The worker',
    packageName: '@patchbay/eda-worker',
    load: () => import('@patchbay/eda-worker'),
  },
  viewer: {
    title: 'The viewer',
    packageName: '@patchbay/viewer-app',
    load: () => import('@patchbay/viewer-app'),
  },
  dev: {
    title: '"patchbay dev"',
    packageName: '@patchbay/dev',
    load: () => import('@patchbay/dev'),
  },
}
const OLDEST_NODE = 24

type ProcessName = keyof typeof PROCESSES
type Ending = Pick<Surroundings, 'printError' | 'host'>
export type Loaded<Name extends ProcessName> = Awaited<ReturnType<(typeof PROCESSES)[Name]['load']>>

/** Ends with a sentence where it is not installed, or where Node is too old for it. */
export async function loadProcess<Name extends ProcessName>(
  name: Name,
  ending: Ending,
): Promise<Loaded<Name>> {
  return (
    (await findProcess(name, ending)) ??
    end(
      `${PROCESSES[name].title} is a package of its own. Install it with:\n  npm install --global ${PROCESSES[name].packageName}@${VERSION}`,
      ending,
    )
  )
}

/** `undefined` where it is not installed. */
export async function findProcess<Name extends ProcessName>(
  name: Name,
  ending: Ending,
): Promise<Loaded<Name> | undefined> {
  const { title, packageName, load } = PROCESSES[name]
  if (!canRunProcesses())
    return end(`${title} needs Node ${OLDEST_NODE} or newer; this is ${process.version}.`, ending)
  try {
    return (await load()) as Loaded<Name>
  } catch (error) {
    if (isMissing(error, packageName)) return undefined
    throw error
  }
}

export function canRunProcesses(): boolean {
  return Number(process.versions.node.split('.')[0]) >= OLDEST_NODE
}

function end(text: string, { printError, host }: Ending): never {
  printError(text)
  host.exit(EXIT.unavailable)
  throw new Error(text)
}

/** The packages themselves, not something that one of them looks for in vain. */
function isMissing(error: unknown, name: string): boolean {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown }
  return code === 'ERR_MODULE_NOT_FOUND' && String(message).includes(`'${name}'`)
}

/** Every process reports variables it does not know, so each is told those of the others. */
export async function allDefinitions() {
  const found = await Promise.allSettled([
    import('@patchbay/server/config').then(({ serverConfig }) => serverConfig),
    import('@patchbay/gateway-app/config').then(({ gatewayConfig }) => gatewayConfig),
    import('@patchbay/watchdog-app/config').then(({ watchdogConfig }) => watchdogConfig),
    import('@patchbay/eda-worker/config').then(({ workerConfig }) => workerConfig),
    import('@patchbay/viewer-app/config').then(({ viewerConfig }) => viewerConfig),
  ])
  return found.flatMap((each) => {
    if (each.status === 'fulfilled') return [each.value]
    if (Object.values(PROCESSES).some(({ packageName }) => isMissing(each.reason, packageName))) return []
    throw each.reason
  })
}

/** Read by clients, which may share an environment with our processes. */
const CLIENT_VARIABLES = [
  'PATCHBAY_GATEWAY_URL',
  'PATCHBAY_SERVER_URL',
  'PATCHBAY_BROWSER',
  'PATCHBAY_API_KEY',
  'PATCHBAY_UPDATE_NOTICE',
]

export async function withAllVariables(surroundings: Surroundings): Promise<Surroundings> {
  const definitions = await allDefinitions()
  const alsoKnown = definitions.flatMap(({ variables }) => variables)
  return { ...surroundings, alsoKnown: [...alsoKnown, ...CLIENT_VARIABLES] }
}
