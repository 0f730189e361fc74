import { createContext, useContext } from 'react'
import type { ViewerSession } from './viewer-session.ts'

export const ViewerContext = createContext<ViewerSession | undefined>(undefined)

export function useViewer(): ViewerSession {
  const session = useContext(ViewerContext)
  if (session === undefined) throw new Error('no ViewerContext around this component')
  return session
}
