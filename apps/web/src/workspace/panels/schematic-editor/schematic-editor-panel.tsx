import type { SchematicEditorState } from '@patchbay/contracts/panels'
import { CircuitBoard, FilePlus, FolderTree } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { classes } from '../../../components/classes.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import type { PanelProps } from '../../panel-definition.ts'
import { FileDialog } from '../files/file-dialog.tsx'
import bar from '../parts/tool-bar.module.css'
import styles from './schematic-editor.module.css'
import { SheetDialog } from './sheet-dialog.tsx'
import { SheetEditor } from './sheet-editor.tsx'
import { words } from './words.ts'

const NOTHING: ReadonlySet<string> = new Set()

/** A KiCad schematic of the workspace, as everybody who has it open sees it. */
export function SchematicEditorPanel({ title, state, mayChange, setState, host }: PanelProps) {
  const { path, sheet } = state as SchematicEditorState
  const [isChoosing, setChoosing] = useState(false)
  // Whoever may only look goes through the sheets alone.
  const [own, setOwn] = useState<{
    readonly path: string
    readonly shared: string | undefined
    readonly sheet: string
  }>()
  const ownSheet = own !== undefined && own.path === path && own.shared === sheet ? own.sheet : undefined
  const choose = () => setChoosing(true)
  const [isMaking, setMaking] = useState(false)
  const create = () => setMaking(true)
  return (
    <div className={classes(bar.panel, styles.panel)}>
      {path === undefined ? (
        <div className={styles.stage}>
          <div className={styles.over}>
            <EmptyState
              title={words.none.title}
              picture={<CircuitBoard aria-hidden />}
              actions={
                mayChange && (
                  <>
                    <Button icon={<FolderTree aria-hidden />} onPress={choose}>
                      {words.none.choose}
                    </Button>
                    <Button variant="ghost" icon={<FilePlus aria-hidden />} onPress={create}>
                      {words.none.create}
                    </Button>
                  </>
                )
              }
            >
              {mayChange ? words.none.text : words.none.textViewing}
            </EmptyState>
          </div>
        </div>
      ) : (
        <SheetEditor
          key={path}
          title={title}
          path={path}
          sheet={ownSheet ?? sheet}
          showSheet={(name) => {
            if (mayChange) setState({ sheet: name === '/' ? null : name })
            else setOwn({ path, shared: sheet, sheet: name })
          }}
          follow={(next) => {
            if (mayChange) setState({ path: next })
          }}
          mayChange={mayChange}
          choose={choose}
          create={create}
          host={host}
        />
      )}
      {isMaking && (
        <SheetDialog
          host={host}
          isRoot
          folder=""
          forbidden={NOTHING}
          done={({ path: made }) => {
            setMaking(false)
            setState({ path: made, sheet: null })
          }}
          close={() => setMaking(false)}
        />
      )}
      {isChoosing && (
        <FileDialog
          host={host}
          title={words.chooseFile.title}
          none={words.chooseFile.none}
          offer={offered}
          icon={<CircuitBoard aria-hidden />}
          choose={(next) => {
            setChoosing(false)
            setState({ path: next, sheet: null })
          }}
          close={() => setChoosing(false)}
        />
      )}
    </div>
  )
}

/** Schematics, those of projects first: the others are sheets in them. */
function offered(paths: readonly string[]): string[] {
  const all = new Set(paths)
  const isRoot = (path: string) => all.has(path.replace(/\.kicad_sch$/, '.kicad_pro'))
  return paths
    .filter((path) => path.endsWith('.kicad_sch'))
    .toSorted((one, other) => Number(isRoot(other)) - Number(isRoot(one)) || (one < other ? -1 : 1))
}
