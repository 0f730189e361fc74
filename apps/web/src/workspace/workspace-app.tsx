import { I18nProvider } from 'react-aria-components/I18nProvider'
import { MemoryRouter } from 'react-router'
import { ToastRegion } from '../components/toast.tsx'
import { SessionProvider } from '../session/session-context.tsx'
import { workspaceOf } from './address.ts'
import { Closed } from './closed.tsx'
import { BrokenWorkspace } from './frame/broken-workspace.tsx'
import type { Randomness } from './randomness.ts'
import { WorkspaceLoader } from './workspace-loader.tsx'

/** The page of one workspace: a document of its own, with links that leave it by loading another one. */
export function WorkspaceApp({ randomness }: { randomness: Randomness }) {
  const workspace = workspaceOf(location.pathname)
  return (
    // The app speaks English; React Aria would follow the browser and mix a second language in.
    <I18nProvider locale="en-US">
      {/* Parts of the shell ask where they are. Nothing here navigates with it. */}
      <MemoryRouter initialEntries={[location.pathname]}>
        <BrokenWorkspace>
          <SessionProvider>
            {workspace === undefined ? (
              <Closed why="workspace_gone" />
            ) : (
              <WorkspaceLoader workspace={workspace} randomness={randomness} />
            )}
          </SessionProvider>
        </BrokenWorkspace>
        <ToastRegion />
      </MemoryRouter>
    </I18nProvider>
  )
}
