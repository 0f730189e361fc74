import { I18nProvider } from 'react-aria-components/I18nProvider'
import { BrokenViewer } from './page/broken-viewer.tsx'
import { Spoken } from './page/spoken.tsx'
import { ViewerPage } from './page/viewer-page.tsx'
import { ViewerContext } from './viewer-context.ts'
import type { ViewerSession } from './viewer-session.ts'

/** The page that agents open widgets in, or the widget that was opened. */
export function ViewerApp({ session }: { session: ViewerSession }) {
  return (
    // The app speaks English; React Aria would follow the browser and mix a second language in.
    <I18nProvider locale="en-US">
      <ViewerContext value={session}>
        <BrokenViewer>
          <ViewerPage />
        </BrokenViewer>
        <Spoken />
      </ViewerContext>
    </I18nProvider>
  )
}
