import type { Viewer3dState } from '@patchbay/contracts/panels'
import { Box } from 'lucide-react'
import { useEffect, useId, useMemo, useState } from 'react'
import { DropZone } from 'react-aria-components/DropZone'
import type { Vector3 } from 'three'
import { classes } from '../../../components/classes.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import type { PanelProps } from '../../panel-definition.ts'
import { FileDialog } from '../files/file-dialog.tsx'
import bar from '../parts/tool-bar.module.css'
import { Measuring } from '../stage/measuring.tsx'
import { SectionBar } from '../stage/section-bar.tsx'
import { FIRST_SECTION } from '../stage/section-plane.ts'
import stageStyles from '../stage/stage.module.css'
import type { StageLook } from '../stage/stage.ts'
import { GraphicsNotice, StageView } from '../stage/stage-view.tsx'
import { useStage } from '../stage/use-stage.ts'
import { MODEL_ENDINGS } from './mesh-formats.ts'
import { ModelStatus } from './model-status.tsx'
import { OnlyHere } from './only-here.tsx'
import { PartList } from './part-list.tsx'
import { partOf, partTree } from './part-tree.ts'
import { type ShownModel, useModel } from './use-model.ts'
import { useModelView } from './use-model-view.ts'
import styles from './viewer-3d.module.css'
import { ViewerBar } from './viewer-bar.tsx'
import { words } from './words.ts'

const FIRST_LOOK: StageLook = { isWired: false, hasGrid: true, hasAxes: false }

export function Viewer3dPanel({ title, state, mayChange, setState, host }: PanelProps) {
  const shownState = state as Viewer3dState
  const { path, url } = shownState
  const [isChoosing, setChoosing] = useState(false)
  const stageOf = useStage()
  const { stage } = stageOf
  const [look, setLook] = useState(FIRST_LOOK)
  const [tools, setTools] = useState({ hasParts: false, isMeasuring: false })
  const [measured, setMeasured] = useState<{ of: unknown; points: readonly Vector3[] }>()
  const [chosen, setChosen] = useState<{ of: string; path: string }>()
  const helpId = useId()
  useEffect(() => stage.current?.setLook(look), [stage, look])
  // After the stage: a model that is there already needs one.
  const { model, open } = useModel(stage, host, {
    ...(path !== undefined && { path }),
    ...(url !== undefined && { url }),
  })
  const shown = model.status === 'shown' ? model : undefined
  const object = shown?.object
  const tree = useMemo(() => (object === undefined ? undefined : partTree(object)), [object])
  const modelView = useModelView({ state: shownState, setState, mayChange, local: shown?.local, tree })
  const { view } = modelView
  const part = chosen !== undefined && chosen.of === shown?.name ? tree?.byPath.get(chosen.path) : undefined
  const points = measured !== undefined && measured.of === object ? measured.points : []
  const setPoints = (next: readonly Vector3[]) => {
    setMeasured({ of: object, points: next })
    stage.current?.setRuler(next)
  }
  const hiddenNames = view.hidden.join('\n')
  useEffect(() => {
    if (tree === undefined) return
    const objectsOf = (name: string) => tree.byName.get(name)?.object ?? []
    stage.current?.setParts({
      hidden: new Set(hiddenNames.split('\n').flatMap(objectsOf)),
      isolated: tree.byName.get(view.isolated ?? '')?.object,
      selected: tools.hasParts ? part?.object : undefined,
    })
  }, [stage, tree, hiddenNames, view.isolated, part, tools.hasParts])
  useEffect(() => stage.current?.setSection(view.section), [stage, view.section])

  const pick = (at?: { readonly x: number; readonly y: number }) => {
    const picked = stage.current?.pick(at)
    if (tools.isMeasuring) {
      if (picked !== undefined) setPoints(points.length === 1 ? [...points, picked.point] : [picked.point])
      return
    }
    if (!tools.hasParts || tree === undefined || shown === undefined) return
    const found = picked === undefined ? undefined : partOf(tree, picked.object)
    setChosen(found === undefined ? undefined : { of: shown.name, path: found.path })
  }
  const [dropped, setDropped] = useState<File>()
  const [dismissed, setDismissed] = useState<ShownModel>()
  const local = model === dismissed ? undefined : shown?.local
  // What was hidden or cut of another model says nothing about this one.
  const replace = (next: Viewer3dState | Record<string, string | null>) => {
    const left = ['section', 'isolated', 'hidden', 'path', 'url'].filter((key) => Object.hasOwn(state, key))
    setState({ ...Object.fromEntries(left.map((key) => [key, null])), ...next })
  }

  return (
    <div className={classes(bar.panel, stageStyles.panel)}>
      <ViewerBar
        url={url}
        mayChange={mayChange}
        setUrl={(next) => replace({ url: next })}
        open={(file) => void open(file)}
        choose={() => setChoosing(true)}
        look={look}
        setLook={setLook}
        hasModel={shown !== undefined}
        tools={{ ...tools, hasSection: view.section !== undefined }}
        setTools={({ hasSection, ...others }) => {
          if (!others.isMeasuring) setPoints([])
          setTools(others)
          if (hasSection !== (view.section !== undefined))
            modelView.setSection(hasSection ? FIRST_SECTION : undefined)
        }}
        fit={() => stage.current?.fit()}
        reset={() => stage.current?.reset()}
      />
      {shown !== undefined && view.section !== undefined && (
        <SectionBar
          section={view.section}
          preview={(section) => stage.current?.setSection(section)}
          setSection={modelView.setSection}
        />
      )}
      {(stageOf.graphics !== 'fine' || model.status === 'failed' || local !== undefined) && (
        <div className={bar.notices}>
          <GraphicsNotice of={stageOf} />
          {local !== undefined && (
            <OnlyHere
              host={host}
              key={local.name}
              file={local}
              startsNow={local === dropped}
              shared={mayChange ? (next) => replace({ path: next }) : undefined}
              dismiss={() => setDismissed(model)}
            />
          )}
          {model.status === 'failed' && <FailureNotice error={model.error} retry={model.retry} />}
        </div>
      )}
      <div className={stageStyles.body}>
        {tools.hasParts && shown !== undefined && tree !== undefined && (
          <PartList
            key={shown.name}
            tree={tree}
            isZUp={shown.facts.isZUp}
            model={modelView}
            selected={part?.path}
            select={(next) => setChosen(next === undefined ? undefined : { of: shown.name, path: next })}
          />
        )}
        <DropZone
          aria-label={words.drop}
          className={classes(stageStyles.zone, styles.zone)}
          getDropOperation={(types) => (types.has('directory') ? 'cancel' : 'copy')}
          onDrop={({ items }) => {
            const item = items.find((one) => one.kind === 'file')
            void item?.getFile().then((file) => {
              setDropped(file)
              return open(file)
            })
          }}
        >
          <StageView
            of={stageOf}
            title={title}
            helpId={helpId}
            isPicking={tools.isMeasuring}
            pick={pick}
            clear={() => {
              const hasPoints = points.length > 0
              if (hasPoints) setPoints([])
              else if (chosen !== undefined) setChosen(undefined)
              return hasPoints || chosen !== undefined
            }}
          />
          {tools.isMeasuring && shown !== undefined && (
            <Measuring points={points} facts={shown.facts} clear={() => setPoints([])} />
          )}
          {model.status === 'none' && (
            <div className={stageStyles.over}>
              <EmptyState title={words.none.title} picture={<Box aria-hidden />}>
                {words.none.text}
              </EmptyState>
            </div>
          )}
          {model.status === 'loading' && (
            <div className={stageStyles.over}>
              <Spinner label={words.loading(model.name)} />
            </div>
          )}
        </DropZone>
      </div>
      <ModelStatus model={model} helpId={helpId} />
      {isChoosing && (
        <FileDialog
          host={host}
          title={words.chooseFile.title}
          none={words.chooseFile.none}
          offer={(paths) =>
            paths.filter((one) => MODEL_ENDINGS.includes(one.split('.').at(-1)?.toLowerCase() ?? ''))
          }
          choose={(next) => {
            setChoosing(false)
            replace({ path: next })
          }}
          close={() => setChoosing(false)}
        />
      )}
    </div>
  )
}
