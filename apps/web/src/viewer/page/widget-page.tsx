import { useEffect } from 'react'
import { useIntake } from '../intake/use-intake.ts'
import { useValue, useViewer } from '../viewer-context.ts'
import { AwayNotice } from './away-notice.tsx'
import { DropCover } from './drop-cover.tsx'
import { EarlierPastes } from './earlier-pastes.tsx'
import { OwnPictures } from './own-pictures.tsx'
import { PasteArea } from './paste-area.tsx'
import { useTabTitle } from './use-tab-title.ts'
import { ViewerBar } from './viewer-bar.tsx'
import styles from './viewer.module.css'

/** The place to paste screenshots. */
export function WidgetPage() {
  const session = useViewer()
  const title = useValue(session.title)
  useTabTitle(title ?? 'Paste a screenshot')
  useEffect(() => session.confirmShown(), [session])
  const isOver = useIntake(session.take)
  return (
    <>
      <ViewerBar />
      <AwayNotice />
      <main className={styles.main}>
        <header className={styles.header}>
          {title !== undefined && <p className={styles.legend}>A screenshot is wanted</p>}
          <h1 className={styles.heading}>{title ?? 'Paste a screenshot'}</h1>
        </header>
        <PasteArea />
        <OwnPictures />
        <EarlierPastes title="Earlier pastes" />
        {isOver && <DropCover />}
      </main>
    </>
  )
}
