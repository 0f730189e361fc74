import type { BoardCheckReport } from '@patchbay/contracts/boards'
import {
  Cable,
  CircleDot,
  CircuitBoard,
  Copy,
  FilePlus,
  FlipHorizontal2,
  FlipVertical2,
  FolderTree,
  Layers,
  ListOrdered,
  Maximize,
  PanelRight,
  Redo2,
  RotateCcw,
  ShieldCheck,
  Spline,
  Tag,
  Tags,
  Trash2,
  Type,
  Undo2,
  X,
  Zap,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { ToolBar } from '../parts/tool-bar.tsx'
import { ToolButton } from '../parts/tool-button.tsx'
import { ToolToggle } from '../parts/tool-toggle.tsx'
import type { CanvasHandle } from './canvas/sheet-canvas.tsx'
import type { DesignSnapshot } from './editing/design-files.ts'
import styles from './schematic-editor.module.css'
import type { SheetTool } from './use-sheet-tool.ts'
import { words } from './words.ts'

interface SheetToolsProps {
  mayChange: boolean
  choose: () => void
  create: () => void
  /** Without a sheet there are none. */
  tool?: SheetTool
  canvas?: RefObject<CanvasHandle | null>
  mayEdit?: boolean
  snapshot?: DesignSnapshot
  side?: Side | undefined
  setSide?: (side: Side | undefined) => void
  report?: BoardCheckReport | undefined
}

/** What is shown beside the sheet. */
export type Side = 'properties' | 'checks'

const STEP = 1.4

export function SheetTools({
  mayChange,
  choose,
  create,
  tool,
  canvas,
  mayEdit = false,
  snapshot,
  side,
  setSide,
  report,
}: SheetToolsProps) {
  return (
    <ToolBar label={words.bar.label} className={styles.tools}>
      <ToolButton label={words.bar.open} isDisabled={!mayChange} onPress={choose}>
        <FolderTree aria-hidden />
      </ToolButton>
      <ToolButton label={words.bar.create} isDisabled={!mayChange} onPress={create}>
        <FilePlus aria-hidden />
      </ToolButton>
      <ToolButton label={words.bar.zoomIn} onPress={() => canvas?.current?.zoom(STEP)}>
        <ZoomIn aria-hidden />
      </ToolButton>
      <ToolButton label={words.bar.zoomOut} onPress={() => canvas?.current?.zoom(1 / STEP)}>
        <ZoomOut aria-hidden />
      </ToolButton>
      <ToolButton label={words.bar.fit} onPress={() => canvas?.current?.fit()}>
        <Maximize aria-hidden />
      </ToolButton>
      {tool !== undefined && mayChange && <EditingTools tool={tool} mayEdit={mayEdit} snapshot={snapshot} />}
      {setSide !== undefined && (
        <span className={styles.push}>
          <ToolToggle
            label={
              report === undefined ? words.bar.checks : words.bar.checksFound(report.errors, report.warnings)
            }
            isSelected={side === 'checks'}
            onChange={(isShown) => setSide(isShown ? 'checks' : undefined)}
          >
            <ShieldCheck aria-hidden />
          </ToolToggle>
          <ToolToggle
            label={words.bar.properties}
            isSelected={side === 'properties'}
            onChange={(isShown) => setSide(isShown ? 'properties' : undefined)}
          >
            <PanelRight aria-hidden />
          </ToolToggle>
        </span>
      )}
    </ToolBar>
  )
}

function EditingTools({
  tool: { tool, commands, selected, dialog },
  mayEdit,
  snapshot,
}: {
  tool: SheetTool
  mayEdit: boolean
  snapshot: DesignSnapshot | undefined
}) {
  const isPlacing = tool.kind === 'place'
  const hasSubject = selected.size > 0
  const act = (label: string, icon: ReactNode, run: () => void, isPossible = true) => (
    <ToolButton label={label} isDisabled={!mayEdit || !isPossible} onPress={run}>
      {icon}
    </ToolButton>
  )
  const toggle = (label: string, icon: ReactNode, isOn: boolean, run: () => void) => (
    <ToolToggle label={label} isSelected={isOn} isDisabled={!mayEdit} onChange={run}>
      {icon}
    </ToolToggle>
  )
  const isText = (what: string) =>
    (dialog?.kind === 'text' && dialog.what === what) || (isPlacing && tool.what.kind === what)
  return (
    <>
      <span className={styles.separator} />
      {act(words.bar.undo, <Undo2 aria-hidden />, commands.undo, snapshot?.mayUndo)}
      {act(words.bar.redo, <Redo2 aria-hidden />, commands.redo, snapshot?.mayRedo)}
      <span className={styles.separator} />
      {toggle(words.bar.symbol, <CircuitBoard aria-hidden />, isPlacing && tool.what.kind === 'symbol', () =>
        commands.ask({ kind: 'symbol', isPower: false }),
      )}
      {act(words.bar.power, <Zap aria-hidden />, () => commands.ask({ kind: 'symbol', isPower: true }))}
      {toggle(words.bar.sheet, <Layers aria-hidden />, isPlacing && tool.what.kind === 'sheet', () =>
        commands.ask({ kind: 'sheet' }),
      )}
      {toggle(words.bar.wire, <Spline aria-hidden />, tool.kind === 'line' && tool.line === 'wire', () =>
        commands.line('wire', false),
      )}
      {toggle(words.bar.bus, <Cable aria-hidden />, tool.kind === 'line' && tool.line === 'bus', () =>
        commands.line('bus', false),
      )}
      {toggle(words.bar.junction, <CircleDot aria-hidden />, isText('junction'), () =>
        commands.mark('junction'),
      )}
      {toggle(words.bar.noConnect, <X aria-hidden />, isText('no_connect'), () =>
        commands.mark('no_connect'),
      )}
      {toggle(words.bar.localLabel, <Tag aria-hidden />, isText('label'), () =>
        commands.ask({ kind: 'text', what: 'label' }),
      )}
      {toggle(words.bar.globalLabel, <Tags aria-hidden />, isText('global_label'), () =>
        commands.ask({ kind: 'text', what: 'global_label' }),
      )}
      {toggle(words.bar.text, <Type aria-hidden />, isText('text'), () =>
        commands.ask({ kind: 'text', what: 'text' }),
      )}
      <span className={styles.separator} />
      {act(words.bar.rotate, <RotateCcw aria-hidden />, () => commands.rotate(), hasSubject || isPlacing)}
      {act(
        words.bar.mirrorY,
        <FlipHorizontal2 aria-hidden />,
        () => commands.mirror('y'),
        hasSubject || isPlacing,
      )}
      {act(
        words.bar.mirrorX,
        <FlipVertical2 aria-hidden />,
        () => commands.mirror('x'),
        hasSubject || isPlacing,
      )}
      {act(words.bar.duplicate, <Copy aria-hidden />, () => commands.duplicate(), hasSubject)}
      {act(words.bar.remove, <Trash2 aria-hidden />, () => commands.remove(), hasSubject)}
      {act(words.bar.annotate, <ListOrdered aria-hidden />, commands.annotate)}
    </>
  )
}
