import { useEffect } from 'react'
import { Card } from '../../components/card.tsx'
import { Lamp } from '../../components/lamp.tsx'
import { useIntake } from '../intake/use-intake.ts'
import { useValue, useViewer } from '../viewer-context.ts'
import { DropCover } from './drop-cover.tsx'
import { EarlierPastes } from './earlier-pastes.tsx'
import { OwnPictures } from './own-pictures.tsx'
import { PasteArea } from './paste-area.tsx'
import styles from './viewer.module.css'
import { ViewerBar } from './viewer-bar.tsx'

/**
 * The page that waits for an agent, and the widget that an agent opened in it: one component, so that what was pasted,
 * typed or focused here stays when the page turns from one into the other.
 */
export function ViewerPage() {
  const session = useViewer()
  const isWidget = useValue(session.isWidget)
  const title = useValue(session.title)
  useTabTitle(isWidget ? (title ?? 'Paste a screenshot') : 'Viewer')
  useEffect(() => (isWidget ? session.confirmShown() : undefined), [isWidget, session])
  const isOver = useIntake(session.take)
  return (
    <>
      <ViewerBar />
      <AwayNotice />
      <main className={styles.main}>
        <header className={styles.header}>
          {isWidget && title !== undefined && <p className={styles.legend}>Screenshot requested</p>}
          <h1 className={styles.heading}>
            {isWidget ? (title ?? 'Paste a screenshot') : 'Screenshots for your agent'}
          </h1>
          {!isWidget && (
            <p className={styles.lead}>
              Paste one here at any time. Keep this page open: when an agent asks for a screenshot, it asks
              here.
            </p>
          )}
        </header>
        <PasteArea />
        {!isWidget && (
          <Card>
            <Whereabouts />
          </Card>
        )}
        <OwnPictures />
        <EarlierPastes title={isWidget ? 'Earlier pastes' : 'Latest pastes'} />
        {isOver && <DropCover />}
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
          : 'Widgets open in the page you used last. Click here to use this one.'}
      </p>
      {folder !== undefined && (
        <p className={styles.folder}>
          Pastes are saved in <code>{folder}</code>
        </p>
      )}
    </div>
  )
}

/** That the viewer is away, and that nothing is lost. The place is there always, for screen readers to hear it. */
function AwayNotice() {
  const isAway = useValue(useViewer().link) === 'away'
  return (
    <output className={styles.away} data-shown={isAway || undefined}>
      {isAway && 'The viewer is not responding. Retrying; images you add are kept in the meantime.'}
    </output>
  )
}

function useTabTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Patchbay`
  }, [title])
}
