import { Problem } from '@patchbay/contracts/core'
import {
  type Design,
  type Document,
  type Net,
  netsOf,
  readDesign,
  TangledNetsError,
} from '@patchbay/kicad-format'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { Notice } from '../../../components/notice.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { notify } from '../../../components/toast.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import { currentTheme } from '../../../theme/theme.ts'
import { useThemeVersion } from '../../instruments/theme-colors.ts'
import type { PanelHost } from '../../panel-definition.ts'
import bar from '../parts/tool-bar.module.css'
import { annotateAll } from './annotation.api.ts'
import { type CanvasHandle, SheetCanvas } from './canvas/sheet-canvas.tsx'
import { DARK, LIGHT } from './canvas/theme.ts'
import { CheckSide } from './checks/check-side.tsx'
import { useCheck } from './checks/use-check.ts'
import { useViolations } from './checks/use-violations.ts'
import { drawSheet } from './drawing/draw-sheet.ts'
import { drawFrame, paperSize } from './drawing/frame.ts'
import { sheetNamed } from './editing/design-files.ts'
import { Properties } from './properties.tsx'
import styles from './schematic-editor.module.css'
import { SheetDialog } from './sheet-dialog.tsx'
import { SheetPath } from './sheet-path.tsx'
import { SheetTools, type Side } from './sheet-tools.tsx'
import { SymbolDialog } from './symbol-dialog.tsx'
import { TextDialog } from './text-dialog.tsx'
import { filesAbove } from './tools/place-sheet.ts'
import { useDesign } from './use-design.ts'
import { useSheetTool } from './use-sheet-tool.ts'
import { words } from './words.ts'

interface SheetEditorProps {
  title: string
  path: string
  /** By its name in the hierarchy. */
  sheet: string | undefined
  showSheet: (name: string) => void
  /** The file is elsewhere now. */
  follow: (path: string) => void
  mayChange: boolean
  choose: () => void
  create: () => void
  host: PanelHost
}

export function SheetEditor(props: SheetEditorProps) {
  const made = useDesign(props.host, props.path, props.follow)
  const root = made?.snapshot.design.sheets[0]
  if (made === undefined || root === undefined) return <Waiting {...props} made={made} />
  return <OpenSheet {...props} files={made.files} snapshot={made.snapshot} />
}

type Made = NonNullable<ReturnType<typeof useDesign>>

function Waiting({ path, choose, create, mayChange, made }: SheetEditorProps & { made: Made | undefined }) {
  const { files, snapshot } = made ?? {}
  const isWrong = snapshot?.status.state === 'not_a_schematic'
  const isOver = snapshot !== undefined && !snapshot.isLoading && snapshot.status.state !== 'loading'
  const failure =
    snapshot?.failure ?? (snapshot?.status.state === 'failed' ? snapshot.status.error : undefined)
  return (
    <>
      <SheetTools mayChange={mayChange} choose={choose} create={create} />
      <div className={bar.notices}>
        {isWrong ? (
          <Notice title={words.problems.notASchematic.title} tone="danger" isLive>
            {words.problems.notASchematic.text}
          </Notice>
        ) : (
          isOver && <FailureNotice error={failure} retry={() => files?.retry()} />
        )}
      </div>
      <div className={styles.stage}>
        {!isOver && !isWrong && (
          <div className={styles.over}>
            <Spinner label={words.loading(path)} />
          </div>
        )}
      </div>
    </>
  )
}

function isDark(): boolean {
  const scheme = currentTheme()
  return scheme === 'dark' || (scheme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
}

function OpenSheet({
  title,
  path,
  sheet: wanted,
  showSheet,
  mayChange,
  choose,
  create,
  host,
  files,
  snapshot,
}: SheetEditorProps & Made) {
  const { design, settings, status } = snapshot
  const canvas = useRef<CanvasHandle>(null)
  const sideElement = useRef<HTMLElement>(null)
  const helpId = useId()
  // On a phone it would take half of the sheet.
  const [side, setSide] = useState<Side | undefined>(() =>
    matchMedia('(min-width: 45rem)').matches ? 'properties' : undefined,
  )
  const sheet = sheetNamed(design, wanted)
  if (sheet === undefined) throw new Error('a design has a root')
  const { file, path: sheetPath } = sheet
  useEffect(() => files.edit(file), [files, file])
  useEffect(
    () => files.hearDropped((count) => notify({ title: words.problems.dropped(count), tone: 'warning' })),
    [files],
  )
  const mayEdit = mayChange && status.state === 'open' && status.isReadable && status.refusal === undefined
  const current = snapshot.documents.get(file)
  const tool = useSheetTool({
    files,
    design,
    sheet,
    document: current,
    mayEdit,
    showSheet,
    canvas,
    newId: () => host.newId(),
    annotateAll: () => void numberAll(host, path),
    openProperties: () => {
      setSide('properties')
      // The fields are there with the next render.
      setTimeout(() => sideElement.current?.querySelector<HTMLElement>('input')?.focus(), 50)
    },
  })
  const previewed = tool.preview(current)
  const shown = useMemo(() => withDocument(snapshot, file, previewed), [snapshot, file, previewed])
  const shownSheet = shown.sheets.find((one) => one.path === sheetPath) ?? sheet
  const drawn = useMemo(
    () => drawSheet({ design: shown, sheet: shownSheet, settings }),
    [shown, shownSheet, settings],
  )
  const page = design.sheets.indexOf(sheet) + 1
  const pages = design.sheets.length
  const frame = useMemo(() => drawFrame(sheet, { page, pages }), [sheet, page, pages])
  const paper = useMemo(() => {
    const { x, y } = paperSize(sheet)
    return { left: 0, top: 0, right: x, bottom: y }
  }, [sheet])
  const foundNets = useMemo(() => findNets(design), [design])
  const nets = foundNets ?? []
  const netOf = (id: string | undefined) =>
    id === undefined
      ? undefined
      : nets.find(({ items }) => items.some((item) => item.id === id && item.path === sheetPath))
  const hovered = netOf(tool.hovered)
  const glowing = new Set(hovered?.items.flatMap((item) => (item.path === sheetPath ? [item.id] : [])) ?? [])
  const check = useCheck(host, path, snapshot)
  const found = useViolations({ check, sheet, showSheet, select: tool.select, canvas })
  const themeVersion = useThemeVersion()
  // The number is another one when the theme may be.
  const theme = themeVersion >= 0 && isDark() ? DARK : LIGHT
  const selected = sheet.schematic.items.filter(({ id }) => tool.selected.has(id))
  const [only] = selected

  return (
    <>
      <SheetTools
        mayChange={mayChange}
        choose={choose}
        create={create}
        canvas={canvas}
        tool={tool}
        mayEdit={mayEdit}
        snapshot={snapshot}
        side={side}
        setSide={setSide}
        report={check.report}
      />
      <SheetPath design={design} sheet={sheet} show={showSheet} />
      <div className={bar.notices}>
        <Problems snapshot={snapshot} />
        {foundNets === undefined && (
          <Notice title={words.problems.tangled.title} tone="warning">
            {words.problems.tangled.text}
          </Notice>
        )}
      </div>
      <div className={styles.body}>
        <div className={styles.stage}>
          <SheetCanvas
            ref={canvas}
            label={words.view(title)}
            helpId={helpId}
            theme={theme}
            paper={paper}
            frame={frame}
            drawn={drawn}
            selected={tool.selected}
            glowing={glowing}
            marks={found.marks}
            onMark={(at) => {
              setSide('checks')
              found.show(at)
            }}
            isPlacing={tool.tool.kind !== 'select'}
            mayDrag={mayEdit}
            sheetKey={sheetPath}
            {...tool.handlers}
          />
        </div>
        {side === 'checks' && (
          <CheckSide
            check={check}
            selected={found.selected}
            select={(at) => found.show(at)}
            sheetName={sheet.name}
            close={() => {
              setSide(undefined)
              canvas.current?.focus()
            }}
          />
        )}
        {side === 'properties' && (
          <Properties
            ref={sideElement}
            design={design}
            sheet={sheet}
            nets={nets}
            item={selected.length === 1 ? only : undefined}
            count={selected.length}
            mayEdit={mayEdit}
            change={tool.change}
            newId={() => host.newId()}
            showSheet={showSheet}
            close={() => {
              setSide(undefined)
              canvas.current?.focus()
            }}
          />
        )}
      </div>
      <div className={bar.status}>
        <span id={helpId} hidden>
          {words.help}
        </span>
        <output>
          {hovered !== undefined
            ? words.net(hovered.name)
            : selected.length > 0
              ? words.selected(selected.length)
              : mayEdit
                ? words.helpShort
                : words.helpViewing}
        </output>
        {status.state === 'open' && mayChange && (
          <span className={styles.push}>
            {status.isSaved ? words.state.saved : status.isSent ? words.state.saving : words.state.unsent}
          </span>
        )}
      </div>
      {tool.dialog?.kind === 'text' && (
        <TextDialog
          key={tool.dialog.what}
          what={tool.dialog.what}
          place={tool.place}
          close={tool.closeDialog}
        />
      )}
      {tool.dialog?.kind === 'sheet' && (
        <SheetDialog
          host={host}
          isRoot={false}
          folder={file.slice(0, file.lastIndexOf('/') + 1)}
          forbidden={filesAbove(design, sheet)}
          done={(choice) => tool.place({ kind: 'sheet', choice })}
          close={tool.closeDialog}
        />
      )}
      {tool.dialog?.kind === 'symbol' && (
        <SymbolDialog
          host={host}
          sheet={sheet}
          isPower={tool.dialog.isPower}
          choose={(choice) => tool.place({ kind: 'symbol', choice })}
          close={tool.closeDialog}
        />
      )}
    </>
  )
}

async function numberAll(host: PanelHost, path: string): Promise<void> {
  try {
    const { files } = await annotateAll(host, path)
    const symbols = files.reduce((all, { references }) => all + references.length, 0)
    notify({ title: words.numbered(symbols, files.length), tone: 'ok' })
  } catch (error) {
    const why = error instanceof Problem ? error.detail : undefined
    notify({ title: words.problems.notNumbered(why), tone: 'warning' })
  }
}

/** `undefined` where finding them would hold the page up. */
function findNets(design: Design): readonly Net[] | undefined {
  try {
    return netsOf(design)
  } catch (error) {
    if (error instanceof TangledNetsError) return undefined
    throw error
  }
}

/** The design as it would be with another document in the place of one. */
function withDocument({ design, documents }: Made['snapshot'], file: string, document: Document | undefined) {
  const root = design.sheets[0]
  if (document === undefined || root === undefined || documents.get(file) === document) return design
  return readDesign(new Map([...documents, [file, document]]), root.file)
}

function Problems({ snapshot: { status, design, isLoading } }: { snapshot: Made['snapshot'] }) {
  const missing = isLoading ? 0 : design.faults.length
  return (
    <>
      {status.state === 'too_long' && (
        <Notice title={words.problems.tooLong.title}>{words.problems.tooLong.text}</Notice>
      )}
      {status.state === 'gone' && (
        <Notice title={words.problems.gone.title} tone="warning" isLive>
          {words.problems.gone.text}
        </Notice>
      )}
      {status.state === 'open' && !status.isReadable && (
        <Notice title={words.problems.unreadable.title} tone="warning" isLive>
          {words.problems.unreadable.text}
        </Notice>
      )}
      {status.state === 'open' && status.refusal !== undefined && (
        <Notice title={words.problems.refused} tone="danger" isLive>
          {status.refusal}
        </Notice>
      )}
      {missing > 0 && (
        <Notice title={words.problems.missing(missing)} tone="warning">
          {[...new Set(design.faults.map(({ message, file }) => `${file}: ${message}`))]
            .slice(0, 3)
            .join(' · ')}
        </Notice>
      )}
    </>
  )
}
