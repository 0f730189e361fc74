import { Download, Globe, History, Pencil, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { sizeInWords } from '../../../parts/size-words.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { ToolButton } from '../parts/tool-button.tsx'
import { ToolToggle } from '../parts/tool-toggle.tsx'
import { AllHistory } from './all-history.tsx'
import { viewOf } from './file-content.ts'
import { FileHistory } from './file-history.tsx'
import { FilePreview } from './file-preview.tsx'
import { type FileTree, nameOf, parentOf } from './file-tree.ts'
import styles from './files.module.css'
import type { FileActions } from './use-file-actions.ts'
import { words } from './words.ts'

/** What stands beside the tree: a file, its history, or without a path the history of all. */
export interface Opened {
  readonly path?: string
  readonly view: 'content' | 'history'
}

interface FileDetailsProps {
  host: PanelHost
  opened: Opened
  open: (opened: Opened | undefined) => void
  tree: FileTree
  mayChange: boolean
  actions: FileActions
  look: () => Promise<void>
  download: (path: string) => void
  /** In a code editor, for everybody. */
  edit: (path: string) => void
  /** In a web view, for everybody. */
  show: (path: string) => void
}

export function FileDetails(props: FileDetailsProps) {
  const { host, opened, open, tree, mayChange, actions, look, download, edit, show } = props
  const { path, view } = opened
  const file = path === undefined ? undefined : tree.files.get(path)
  const heading = useRef<HTMLHeadingElement>(null)
  // Whoever opened it goes on here: on a narrow screen the tree is gone meanwhile.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const title = path === undefined ? words.history.ofAll : nameOf(path)
  return (
    <section aria-label={title} className={styles.details}>
      <header className={styles.detailsHeader}>
        <div className={styles.detailsTitle}>
          <h2 ref={heading} tabIndex={-1} className={styles.heading}>
            {title}
          </h2>
          {path !== undefined && (
            <p className={styles.note}>
              {words.details.facts(
                parentOf(path),
                file === undefined ? words.details.isDeleted : sizeInWords(file.size),
              )}
            </p>
          )}
        </div>
        {path !== undefined && file !== undefined && (
          <>
            <ToolToggle
              label={words.menu.history}
              isSelected={view === 'history'}
              onChange={(isOn) => open({ path, view: isOn ? 'history' : 'content' })}
            >
              <History aria-hidden />
            </ToolToggle>
            {mayChange && viewOf(file) === 'text' && (
              <ToolButton label={words.details.edit} onPress={() => edit(path)}>
                <Pencil aria-hidden />
              </ToolButton>
            )}
            {mayChange && file.mediaType === 'text/html' && (
              <ToolButton label={words.details.show} onPress={() => show(path)}>
                <Globe aria-hidden />
              </ToolButton>
            )}
            <ToolButton label={words.menu.download} onPress={() => download(path)}>
              <Download aria-hidden />
            </ToolButton>
          </>
        )}
        <ToolButton label={words.details.close} onPress={() => open(undefined)}>
          <X aria-hidden />
        </ToolButton>
      </header>
      {path === undefined ? (
        <AllHistory
          host={host}
          revision={tree.revision}
          mayChange={mayChange}
          look={look}
          openHistory={(chosen) => open({ path: chosen, view: 'history' })}
        />
      ) : view === 'content' && file !== undefined ? (
        <FilePreview key={path} host={host} file={file} />
      ) : (
        <FileHistory
          key={path}
          host={host}
          path={path}
          revision={file?.revision}
          mayChange={mayChange}
          actions={actions}
        />
      )}
    </section>
  )
}
