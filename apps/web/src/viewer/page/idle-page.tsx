import { SCREENSHOT_PASTE_PATH } from '@patchbay/contracts'
import { ClipboardPaste } from 'lucide-react'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { Lamp } from '../../components/lamp.tsx'
import { useValue, useViewer } from '../viewer-context.ts'
import { AwayNotice } from './away-notice.tsx'
import { EarlierPastes } from './earlier-pastes.tsx'
import { useTabTitle } from './use-tab-title.ts'
import { ViewerBar } from './viewer-bar.tsx'
import styles from './viewer.module.css'

/** The page that waits for an agent. */
export function IdlePage() {
  useTabTitle('Viewer')
  return (
    <>
      <ViewerBar />
      <AwayNotice />
      <main className={styles.main}>
        <header className={styles.header}>
          <h1 className={styles.heading}>An agent opens widgets here</h1>
          <p className={styles.lead}>
            Keep this page open. When an agent asks for a screenshot, the place to paste it appears in this
            page.
          </p>
        </header>
        <Card>
          <div className={styles.state}>
            <Whereabouts />
            <ButtonLink href={SCREENSHOT_PASTE_PATH} variant="primary" icon={<ClipboardPaste aria-hidden />}>
              Paste a screenshot yourself
            </ButtonLink>
          </div>
        </Card>
        <EarlierPastes title="Latest pastes" />
      </main>
    </>
  )
}

function Whereabouts() {
  const { link, isActive, status } = useViewer()
  const folder = useValue(status)?.folder
  const state = useValue(link)
  const isHere = useValue(isActive)
  if (state !== 'open') {
    return (
      <div className={styles.whereabouts}>
        <Lamp
          state={state === 'away' ? 'warning' : 'off'}
          label={state === 'away' ? 'No connection' : 'Connecting'}
        />
        <p>Agents cannot reach this page until the viewer answers.</p>
      </div>
    )
  }
  return (
    <div className={styles.whereabouts}>
      <Lamp state={isHere ? 'ok' : 'off'} label={isHere ? 'Ready' : 'Another page is active'} />
      <p>
        {isHere
          ? 'Widgets open in this page.'
          : 'Widgets open in the page that you used last. Click here, and it is this one.'}
      </p>
      {folder !== undefined && (
        <p className={styles.folder}>
          Pastes are saved in <code>{folder}</code>
        </p>
      )}
    </div>
  )
}
