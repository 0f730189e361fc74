import { EditorState, type Extension, Transaction } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { DOCUMENT_LIMITS } from '@patchbay/contracts/limits'
import { type CodeEditorState, personColor } from '@patchbay/contracts/panels'
import { Circle, Download, FolderOpen, TextSearch, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs'
import { notify } from '../../../components/toast.tsx'
import { adviseOn } from '../../../errors/advice.ts'
import { personStyle } from '../../../parts/person-style.ts'
import { useValue } from '../../../parts/use-value.ts'
import type { PanelProps } from '../../panel-definition.ts'
import bar from '../parts/tool-bar.module.css'
import { ToolButton } from '../parts/tool-button.tsx'
import styles from './code-editor.module.css'
import { createFileNear } from './document.api.ts'
import { type DocumentSession, insertedBy } from './document-session.ts'
import { downloadText } from './download-text.ts'
import { extensionsFor } from './editor-view.ts'
import { FileEditor } from './file-editor.tsx'
import { remoteCursors } from './remote-cursors.ts'
import { useDocuments } from './use-documents.ts'
import { words } from './words.ts'

interface FileTabsProps extends PanelProps {
  chooseFile: () => void
}

/** The files that are open in a code editor, each in a tab. Everybody has the same tabs, and looks at one of their own. */
export function FileTabs({ state, isActive, mayChange, setState, host, chooseFile }: FileTabsProps) {
  const { files = [], active: openedLast } = state as CodeEditorState
  const [chosen, setChosen] = useState({ path: openedLast ?? files[0], openedLast })
  // What somebody opens is shown to everybody, whatever they looked at before.
  if (chosen.openedLast !== openedLast) setChosen({ path: openedLast, openedLast })
  const wanted = useValue(host.placeToShow)
  const place = isActive && wanted !== undefined && files.includes(wanted.path) ? wanted : undefined
  if (place !== undefined && chosen.path !== place.path) setChosen({ path: place.path, openedLast })
  const shown = files.find((path) => path === chosen.path) ?? files[0]
  const [tooLong, setTooLong] = useState<string>()
  const latest = useRef({ setTooLong })
  const sessionOf = useDocuments(host, files, (session) => [
    extensionsFor({
      label: words.bar,
      describedBy: words.leavingSpoken,
      isReadOnly: !mayChange,
      onEdit: () => session().changed(),
      onLeave: () => session().changed(),
    }),
    remoteCursors,
    shortEnough((isLong) => latest.current.setTooLong(isLong ? session().clientId : undefined)),
    EditorView.updateListener.of((update) => {
      if (update.selectionSet || update.focusChanged) session().moved()
    }),
  ])
  const session = shown === undefined ? undefined : sessionOf(shown)
  // Not known by its path: an editor whose file is moved stays, with the cursor of whoever types in it.
  const tabs = files.map((path) => {
    const opened = sessionOf(path)
    return { path, opened, id: opened?.clientId ?? path }
  })

  const close = (path: string) => {
    const index = files.indexOf(path)
    const rest = files.filter((each) => each !== path)
    const next = rest[Math.min(index, rest.length - 1)]
    setChosen({ path: next, openedLast: next })
    setState({ files: rest.length === 0 ? null : rest, active: next ?? null })
  }
  const replace = (path: string, by: string) => {
    const others = files.filter((each) => each !== by)
    setState({ files: others.map((each) => (each === path ? by : each)), active: by })
  }
  const restore = async (path: string) => {
    try {
      await sessionOf(path)?.restore((text) => createFileNear(host, path, text))
    } catch (error) {
      notify({ title: adviseOn(error).title, tone: 'danger' })
    }
  }
  return (
    <Tabs
      className={bar.panel ?? ''}
      selectedKey={session?.clientId ?? shown ?? ''}
      onSelectionChange={(key) => {
        const path = tabs.find(({ id }) => id === key)?.path
        if (path !== undefined) setChosen({ path, openedLast })
      }}
    >
      <div className={styles.tabBar}>
        <TabList aria-label={words.files.tabs} className={styles.tabList ?? ''}>
          {tabs.map(({ path, opened, id }) => (
            <Tab key={id} id={id} className={styles.tab ?? ''}>
              <TabName path={path} files={files} session={opened} />
            </Tab>
          ))}
        </TabList>
        <div className={styles.tabTools}>
          <ToolButton label={words.files.open} isDisabled={!mayChange} onPress={chooseFile}>
            <FolderOpen aria-hidden />
          </ToolButton>
          <ToolButton label={words.files.findInFiles} onPress={() => host.findInFiles()}>
            <TextSearch aria-hidden />
          </ToolButton>
          <ToolButton
            label={words.download}
            onPress={() => downloadText(session?.state?.doc.toString() ?? '', nameOf(shown ?? ''))}
          >
            <Download aria-hidden />
          </ToolButton>
          <ToolButton
            label={words.files.close}
            isDisabled={!mayChange}
            onPress={() => {
              if (shown !== undefined) close(shown)
            }}
          >
            <X aria-hidden />
          </ToolButton>
        </div>
      </div>
      {tabs.map(({ path, opened, id }) => (
        <TabPanel key={id} id={id} shouldForceMount className={styles.tabPanel ?? ''}>
          {opened !== undefined && (
            <FileEditor
              host={host}
              path={path}
              session={opened}
              isShown={path === shown}
              isReadOnly={!mayChange}
              isTooLong={tooLong === opened.clientId}
              place={place?.path === path ? place : undefined}
              onShown={() => host.placeToShow.set(undefined)}
              onMoved={(to) => {
                if (mayChange && files.includes(path)) replace(path, to)
              }}
              restore={() => void restore(path)}
              close={() => close(path)}
            />
          )}
        </TabPanel>
      ))}
      <div className={bar.status}>
        {session !== undefined && <SavedMark session={session} />}
        <span>{words.leaving}</span>
      </div>
    </Tabs>
  )
}

interface TabNameProps {
  path: string
  files: readonly string[]
  session: DocumentSession | undefined
}

function TabName({ path, files, session }: TabNameProps) {
  const isAlone = files.every((each) => each === path || nameOf(each) !== nameOf(path))
  return (
    <>
      {isAlone ? nameOf(path) : path}
      {session !== undefined && <UnsentMark session={session} />}
    </>
  )
}

function UnsentMark({ session }: { session: DocumentSession }) {
  const status = useValue(session.status)
  if (status.state !== 'open' || status.isSent) return null
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn, and no file
  return <Circle className={styles.mark ?? ''} role="img" aria-label={words.files.unsent} />
}

/** What has become of what was typed, and who else is typing. */
function SavedMark({ session }: { session: DocumentSession }) {
  const status = useValue(session.status)
  const others = useValue(session.others)
  if (status.state !== 'open') return null
  const { isSent, isSaved } = status
  return (
    <>
      <output>{isSaved ? words.files.saved : isSent ? words.files.saving : words.files.unsent}</output>
      {others.length > 0 && (
        <span className={styles.people}>
          {others.map(({ browserId, name, handle }) => (
            <span key={browserId} className={styles.person} style={personStyle(personColor(handle))}>
              {name}
            </span>
          ))}
        </span>
      )}
    </>
  )
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** Refuses what no message could carry, or what would make the text longer than the server takes. */
function shortEnough(onTooLong: (isTooLong: boolean) => void): Extension {
  return EditorState.transactionFilter.of((transaction) => {
    if (!transaction.docChanged || transaction.annotation(Transaction.remote) === true) return transaction
    const { startState, newDoc, changes } = transaction
    const isTooLong =
      insertedBy(changes) > DOCUMENT_LIMITS.editCharacters ||
      (newDoc.length > DOCUMENT_LIMITS.characters && newDoc.length > startState.doc.length)
    onTooLong(isTooLong)
    return isTooLong ? [] : transaction
  })
}
