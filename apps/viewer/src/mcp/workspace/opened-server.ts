import type { Workspaces } from '@patchbay/client/workspaces'

/** An installation, as whoever calls the tools may see it. */
export interface OpenedServer {
  /** Its address. */
  readonly server: string
  readonly workspaces: Workspaces
  /** Who asks. */
  findHandle(): Promise<string>
}

/** Opens it, or refuses with words that say how one signs in. */
export type OpenServer = (signal: AbortSignal) => Promise<OpenedServer>
