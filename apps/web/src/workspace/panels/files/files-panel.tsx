import { Ellipsis, FilePlus, FolderPlus, FolderTree, FolderUp, Upload } from 'lucide-react'
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { notify } from '../../../components/toast.tsx'
import { sizeInWords } from '../../../parts/size-words.ts'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import type { PanelProps } from '../../panel-definition.ts'
import { withFilePage } from '../parts/file-address.ts'
import { archiveAddress, fileAddress } from '../parts/files.api.ts'
import bar from '../parts/tool-bar.module.css'
import { ToolBar } from '../parts/tool-bar.tsx'
import { ToolButton } from '../parts/tool-button.tsx'
import { withFile } from '../parts/with-file.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { FileDetails, type Opened } from './file-details.tsx'
import { type FileTree, folderFor, movedPath, nameOf, parentOf, type Row, rowsOf } from './file-tree.ts'
import styles from './files.module.css'
import { PathDialog, type PathWish } from './path-dialog.tsx'
import { readChosen } from './picked-files.ts'
import { type MenuAction, RowMenu, type RowMenuRequest } from './row-menu.tsx'
import { type TreeHandle, TreeView } from './tree-view.tsx'
import { UploadList } from './upload-list.tsx'
import { useDrop } from './use-drop.ts'
import { tellFailure, useFileActions } from './use-file-actions.ts'
import { useFiles } from './use-files.ts'
import { useUploads } from './use-uploads.ts'
import { words } from './words.ts'

/** The files of the workspace. */
export function FilesPanel({ tabId, isActive, mayChange, host }: PanelProps) {
  const files = useFiles(host)
  const { tree, dispatch, isLoaded, error, isAway, look } = files
  const [opened, setOpened] = useState<Opened>()
  const actions = useFileActions(host, files, (path, to) =>
    setOpened((shown) => {
      const moved = shown?.path === undefined ? undefined : movedPath(shown.path, path, to)
      return shown === undefined || moved === undefined ? shown : { ...shown, path: moved }
    }),
  )
  const uploads = useUploads(host, files)
  const { files: all, drafts, expanded } = tree
  // Not with every step of the cursor: ten thousand rows take a frame or two.
  const rows = useMemo(() => rowsOf({ files: all, drafts, expanded }), [all, drafts, expanded])
  const treeHandle = useRef<TreeHandle>(null)
  const [menu, setMenu] = useState<RowMenuRequest>()
  const [asking, setAsking] = useState<PathWish>()
  const [deleting, setDeleting] = useState<Row>()
  const root = useRef<HTMLDivElement>(null)
  const isCovered = menu !== undefined || asking !== undefined || deleting !== undefined
  useFocusBack(isCovered, root, treeHandle)
  useFocusBack(opened !== undefined, root, treeHandle)
  // Things are dragged by a slip, too.
  const offerUndo = (path: string, to: string) =>
    notify({
      title: words.moved(nameOf(to), parentOf(to)),
      action: { label: words.undo, run: () => void actions.move(to, path).catch(tellFailure) },
    })
  const drop = useDrop({
    tree,
    mayChange,
    move: (path, to) => void actions.move(path, to).then(() => offerUndo(path, to), tellFailure),
    upload: uploads.drop,
    expand: (path) => dispatch({ type: 'expand', path }),
  })
  useFileToShow(host, isActive && isLoaded, (path) => {
    dispatch({ type: 'reveal', path })
    setOpened({ path, view: 'content' })
  })
  const current = rows.find(({ path }) => path === tree.current)
  const isEmpty = isLoaded && rows.length === 0

  const onOpen = (path: string) => setOpened({ path, view: 'content' })
  const download = (path: string) => save(fileAddress(host.workspace, path), nameOf(path))
  const act = (action: MenuAction, row: Row | undefined) => {
    setMenu(undefined)
    if (action === 'downloadAll') return save(archiveAddress(host.workspace, undefined), host.workspace.repo)
    if (action === 'allHistory') return setOpened({ view: 'history' })
    if (row === undefined) return
    switch (action) {
      case 'open':
        return onOpen(row.path)
      case 'history':
        return setOpened({ path: row.path, view: 'history' })
      case 'download':
        return row.kind === 'file'
          ? download(row.path)
          : save(archiveAddress(host.workspace, row.path), row.name)
      case 'newFile':
        return setAsking({ type: 'newFile', folder: row.path })
      case 'rename':
      case 'move':
        return setAsking({ type: action, row })
      case 'delete':
        return setDeleting(row)
      default:
        action satisfies never
    }
  }

  return (
    <div ref={root} className={bar.panel} {...drop.handlers}>
      <ToolBar label={words.bar.label}>
        {mayChange && (
          <>
            <ToolButton
              label={words.bar.newFile}
              onPress={() => setAsking({ type: 'newFile', folder: folderFor(tree) })}
            >
              <FilePlus aria-hidden />
            </ToolButton>
            <ToolButton
              label={words.bar.newFolder}
              onPress={() => setAsking({ type: 'newFolder', folder: folderFor(tree) })}
            >
              <FolderPlus aria-hidden />
            </ToolButton>
            <UploadButton
              label={words.uploads.files}
              choose={(chosen) => uploads.add(folderFor(tree), readChosen(chosen))}
            >
              <Upload aria-hidden />
            </UploadButton>
            <UploadButton
              isFolder
              label={words.uploads.folder}
              choose={(chosen) => uploads.add(folderFor(tree), readChosen(chosen))}
            >
              <FolderUp aria-hidden />
            </UploadButton>
          </>
        )}
        <span className={bar.push}>
          <IconButton
            label={current === undefined ? words.bar.more : words.bar.moreFor(current.name)}
            size="sm"
            isDisabled={!isLoaded}
            onPress={({ target }) => {
              if (target instanceof HTMLElement) setMenu({ row: current, element: target })
            }}
          >
            <Ellipsis aria-hidden />
          </IconButton>
        </span>
      </ToolBar>
      <UploadList queue={uploads.queue} />
      {error !== undefined && (
        <div className={bar.notices}>
          <FailureNotice error={error} retry={() => void look()} />
        </div>
      )}
      <div className={styles.body}>
        <div className={styles.list} data-beside={opened !== undefined || undefined}>
          {!isLoaded && error === undefined && <Skeleton label={words.loading} lines={6} />}
          {isEmpty && (
            <div className={styles.empty} data-drop={drop.folder === '' || undefined}>
              <EmptyState
                title={words.empty.title}
                picture={<FolderTree aria-hidden />}
                actions={
                  mayChange && (
                    <>
                      <FileTrigger
                        allowsMultiple
                        onSelect={(chosen) => {
                          if (chosen !== null) uploads.add('', readChosen(chosen))
                        }}
                      >
                        <Button variant="primary" icon={<Upload aria-hidden />}>
                          {words.uploads.files}
                        </Button>
                      </FileTrigger>
                      <Button
                        icon={<FilePlus aria-hidden />}
                        onPress={() => setAsking({ type: 'newFile', folder: '' })}
                      >
                        {words.bar.newFile}
                      </Button>
                    </>
                  )
                }
              >
                {mayChange ? words.empty.text : words.empty.readOnly}
              </EmptyState>
            </div>
          )}
          {isLoaded && !isEmpty && (
            <TreeView
              handle={treeHandle}
              rows={rows}
              current={current?.path}
              mayChange={mayChange}
              dropFolder={drop.folder}
              dispatch={dispatch}
              onWish={(wish, row) => act(wish, row)}
              onMenu={(row, element) => setMenu({ row, element })}
              onDrag={drop.setDragged}
            />
          )}
        </div>
        {opened !== undefined && (
          <FileDetails
            key={opened.path ?? ''}
            host={host}
            opened={opened}
            open={setOpened}
            tree={tree}
            mayChange={mayChange}
            actions={actions}
            look={look}
            download={download}
            edit={(path) => host.openPanel(tabId, 'code-editor', withFile(path))}
            show={(path) => host.openPanel(tabId, 'webview', withFilePage(path))}
          />
        )}
      </div>
      <Status tree={tree} isAway={isAway} mayChange={mayChange} />
      {menu !== undefined && (
        <RowMenu
          request={menu}
          mayChange={mayChange}
          hasFiles={tree.files.size > 0}
          act={(action) => act(action, menu.row)}
          close={() => setMenu(undefined)}
        />
      )}
      {asking !== undefined && (
        <PathDialog wish={asking} tree={tree} actions={actions} close={() => setAsking(undefined)} />
      )}
      {deleting !== undefined && (
        <DeleteDialog row={deleting} tree={tree} actions={actions} close={() => setDeleting(undefined)} />
      )}
    </div>
  )
}

/** Shows what was asked for elsewhere, once it can. */
function useFileToShow(
  { fileToShow }: PanelProps['host'],
  isReady: boolean,
  show: (path: string) => void,
): void {
  const path = useSyncExternalStore(
    (listener) => fileToShow.subscribe(listener),
    () => fileToShow.get(),
  )
  const showNow = useEffectEvent(show)
  useEffect(() => {
    if (path === undefined || !isReady) return
    fileToShow.set(undefined)
    showNow(path)
  }, [fileToShow, isReady, path])
}

/** Long enough for a dialog to close and to try to give the focus back to a row that is gone. */
const FOCUS_LOST_MS = 100

/** When something closes the focus is in the tree, unless it was given back to where it came from. */
function useFocusBack(
  isCovered: boolean,
  root: RefObject<HTMLElement | null>,
  tree: RefObject<TreeHandle | null>,
): void {
  const wasCovered = useRef(false)
  useEffect(() => {
    const isOver = wasCovered.current && !isCovered
    wasCovered.current = isCovered
    if (!isOver) return undefined
    const timer = setTimeout(() => {
      if (document.activeElement !== document.body) return
      if (tree.current === null) root.current?.querySelector('button')?.focus()
      else tree.current.focus()
    }, FOCUS_LOST_MS)
    return () => clearTimeout(timer)
  }, [isCovered, root, tree])
}

interface StatusProps {
  tree: FileTree
  isAway: boolean
  mayChange: boolean
}

function Status({ tree, isAway, mayChange }: StatusProps) {
  const bytes = useMemo(() => [...tree.files.values()].reduce((sum, { size }) => sum + size, 0), [tree.files])
  return (
    <div className={bar.status}>
      {tree.files.size > 0 && <span>{words.status(tree.files.size, sizeInWords(bytes))}</span>}
      {!mayChange && <span>{words.viewOnly}</span>}
      <output className={styles.away}>{isAway ? words.away : ''}</output>
    </div>
  )
}

interface UploadButtonProps {
  label: string
  isFolder?: boolean
  choose: (chosen: FileList) => void
  children: ReactNode
}

function UploadButton({ label, isFolder = false, choose, children }: UploadButtonProps) {
  return (
    <FileTrigger
      allowsMultiple
      acceptDirectory={isFolder}
      onSelect={(chosen) => {
        if (chosen !== null && chosen.length > 0) choose(chosen)
      }}
    >
      <ToolButton label={label}>{children}</ToolButton>
    </FileTrigger>
  )
}

/** Has the browser fetch and save something, with the session that it has. */
function save(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
