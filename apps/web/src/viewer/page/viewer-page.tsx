import { useEffect } from 'react'
import { Card } from '../../components/card.tsx'
import { Lamp } from '../../components/lamp.tsx'
import { useValue } from '../../parts/use-value.ts'
import { useIntake } from '../intake/use-intake.ts'
import { useViewer } from '../viewer-context.ts'
import { words } from '../words.tsx'
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
  useTabTitle(isWidget ? (title ?? words.widget.heading) : words.page.title)
  useEffect(() => (isWidget ? session.confirmShown() : undefined), [isWidget, session])
  const isOver = useIntake(session.take)
  return (
    <>
      <ViewerBar />
      <AwayNotice />
      <main className={styles.main}>
        <header className={styles.header}>
          {isWidget && title !== undefined && <p className={styles.legend}>{words.widget.legend}</p>}
          <h1 className={styles.heading}>
            {isWidget ? (title ?? words.widget.heading) : words.page.heading}
          </h1>
          {!isWidget && <p className={styles.lead}>{words.page.lead}</p>}
        </header>
        <PasteArea />
        {!isWidget && (
          <Card>
            <Whereabouts />
          </Card>
        )}
        <OwnPictures />
        <EarlierPastes title={isWidget ? words.widget.earlier : words.page.latest} />
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
          label={state === 'away' ? words.whereabouts.away : words.whereabouts.connecting}
        />
        <p>{words.whereabouts.unreachable}</p>
      </div>
    )
  }
  return (
    <div className={styles.whereabouts}>
      <Lamp
        state={isHere ? 'ok' : 'off'}
        label={isHere ? words.whereabouts.ready : words.whereabouts.anotherPage}
      />
      <p>{isHere ? words.whereabouts.opensHere : words.whereabouts.opensElsewhere}</p>
      {folder !== undefined && (
        <p className={styles.folder}>{words.whereabouts.folder(<code>{folder}</code>)}</p>
      )}
    </div>
  )
}

/** That the viewer is away, and that nothing is lost. The place is there always, for screen readers to hear it. */
function AwayNotice() {
  const isAway = useValue(useViewer().link) === 'away'
  return (
    <output className={styles.away} data-shown={isAway || undefined}>
      {isAway && words.away}
    </output>
  )
}

function useTabTitle(title: string): void {
  useEffect(() => {
    document.title = words.tabTitle(title)
  }, [title])
}
