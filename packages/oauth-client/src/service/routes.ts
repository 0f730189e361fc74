import type { ConnectServiceOptions } from './connect-service.ts'

/** The user of a service that has one. */
const ONLY_USER = 'default'

export interface ConnectOptions<Request> extends ConnectServiceOptions {
  /** Default `/auth`. */
  readonly authPath?: string
  /** Default `/status`. */
  readonly statusPath?: string
  /** Who is signed in here; `undefined` for nobody. Without it there is one user, `default`. */
  readonly userOf?: (request: Request) => string | undefined | Promise<string | undefined>
}

export interface ConnectRoutes {
  readonly authPath: string
  readonly statusPath: string
}

export function routesOf<Request>(options: ConnectOptions<Request>): ConnectRoutes {
  const { authPath = '/auth', statusPath = '/status' } = options
  for (const [option, path] of Object.entries({ authPath, statusPath })) {
    if (!path.startsWith('/')) throw new TypeError(`${option} must begin with a slash`)
  }
  if (authPath === statusPath) throw new TypeError('authPath and statusPath must differ')
  return { authPath, statusPath }
}

export async function userOf<Request>(
  options: ConnectOptions<Request>,
  request: Request,
): Promise<string | undefined> {
  return options.userOf === undefined ? ONLY_USER : await options.userOf(request)
}
