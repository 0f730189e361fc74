import { type CallInput, type CallResult, type EndpointSpec, Problem } from '@patchbay/contracts/core'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type AskOptions, ask } from '../server/server.api.ts'
import { fetchSession, type KnownSession } from './session.api.ts'

export type SessionState =
  | { readonly state: 'loading' }
  | ({ readonly state: 'known' } & KnownSession)
  | { readonly state: 'failed'; readonly error: unknown }

export type Change = <Spec extends EndpointSpec>(
  endpoint: Spec,
  input: CallInput<Spec>,
  options?: Omit<AskOptions, 'headers'>,
) => Promise<CallResult<Spec>>

interface SessionAccess {
  readonly session: SessionState
  /** Asks the server again; after anything that may have changed who is signed in. Quietly: a failure changes nothing. */
  readonly refresh: (how?: { readonly isQuiet: boolean }) => Promise<void>
  /** A request that changes something, with the token that shows it comes from a page of this person. */
  readonly change: Change
}

const SessionContext = createContext<SessionAccess | undefined>(undefined)

/** Who is signed in: asked once, and again after changes. Stands around every page. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [session, setSession] = useState<SessionState>({ state: 'loading' })
  const latest = useRef(0)
  const refresh = useCallback(async (how?: { readonly isQuiet: boolean }) => {
    latest.current += 1
    const mine = latest.current
    const next = await fetchSession().then(
      (known): SessionState => ({ state: 'known', ...known }),
      (error: unknown): SessionState => ({ state: 'failed', error }),
    )
    // An older answer that arrives late would bring back somebody who has signed out.
    if (mine === latest.current && !(how?.isQuiet && next.state === 'failed')) setSession(next)
  }, [])
  useEffect(() => void refresh(), [refresh])

  const csrfToken = session.state === 'known' ? session.csrfToken : null
  const access = useMemo<SessionAccess>(() => {
    const change: Change = async (endpoint, input, options = {}) => {
      try {
        return await ask(endpoint, input, {
          ...options,
          ...(csrfToken === null ? {} : { headers: { 'x-csrf-token': csrfToken } }),
        })
      } catch (error) {
        // Never tried again by itself: another person may have signed in with this browser meanwhile.
        if (isAboutWho(error)) await refresh()
        throw error
      }
    }
    return { session, refresh, change }
  }, [session, refresh, csrfToken])
  return <SessionContext value={access}>{children}</SessionContext>
}

/** Somebody else is signed in than the page thought, or nobody. */
export function isAboutWho(error: unknown): boolean {
  return (
    error instanceof Problem && (error.code === 'sign_in_required' || error.code === 'csrf_token_required')
  )
}

export function useSession(): SessionAccess {
  const access = useContext(SessionContext)
  if (access === undefined) throw new Error('no SessionProvider around this component')
  return access
}
