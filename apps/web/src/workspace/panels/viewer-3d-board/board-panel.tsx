import type { Viewer3dBoardState } from '@patchbay/contracts/panels'
import { CircuitBoard } from 'lucide-react'
import { useEffect, useId, useMemo, useState } from 'react'
import { Vector3 } from 'three'
import { Button } from '../../../components/button.tsx'
import { classes } from '../../../components/classes.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import type { PanelProps } from '../../panel-definition.ts'
import { fetchReport } from '../board-jobs/board-jobs.api.ts'
import { JobProgress } from '../board-jobs/job-progress.tsx'
import { useBoardJob } from '../board-jobs/use-board-job.ts'
import { shownViolations } from '../board-jobs/violation-list.tsx'
import { FileDialog } from '../files/file-dialog.tsx'
import { crossProbe } from '../parts/cross-probe.ts'
import bar from '../parts/tool-bar.module.css'
import { sizeInWords } from '../stage/measure-model.ts'
import { Measuring } from '../stage/measuring.tsx'
import { SectionBar } from '../stage/section-bar.tsx'
import { FIRST_SECTION } from '../stage/section-plane.ts'
import stageStyles from '../stage/stage.module.css'
import type { Stage } from '../stage/stage.ts'
import { GraphicsNotice, StageView } from '../stage/stage-view.tsx'
import { useStage } from '../stage/use-stage.ts'
import { BeforeView } from './before-view.tsx'
import styles from './board.module.css'
import { BoardBar } from './board-bar.tsx'
import { BoardLists, type ListName } from './board-lists.tsx'
import { BoardObject } from './board-object.ts'
import { ChangeList } from './change-list.tsx'
import { CheckList } from './check-list.tsx'
import { shortText } from './part-details.tsx'
import { hiddenIn, middleOfPad, namesAt, type PickedNames, placesIn } from './pick-board.ts'
import { type ShownBoard, useBoard } from './use-board.ts'
import { useBoardView } from './use-board-view.ts'
import { useComparison } from './use-comparison.ts'
import { useComponents } from './use-components.ts'
import { words } from './words.ts'

const KEYS: Readonly<Record<string, (stage: Stage) => void>> = {
  t: (stage) => stage.look('top'),
  b: (stage) => stage.look('bottom'),
}
/** What its lengths are measured along: those of the file, with up as the third. */
const AXES = { isZUp: true, isUnitAssumed: false }
/** From where a broken rule is looked at. */
const NEAR_METERS = 0.03
const LOOK = { isWired: false, hasGrid: false, hasAxes: false }

export function BoardPanel({ tabId, title, state, mayChange, setState, host }: PanelProps) {
  const shownState = state as Viewer3dBoardState
  const { path } = shownState
  const helpId = useId()
  const stageOf = useStage('table')
  const { stage } = stageOf
  const board = useBoard(host, path)
  const scene = board.status === 'shown' ? board.scene : undefined
  const boardView = useBoardView({ state: shownState, setState, mayChange })
  const { view, layers, hiddenNets } = boardView
  const [isChoosing, setChoosing] = useState(false)
  const [isDismissed, setDismissed] = useState(false)
  const [tools, setTools] = useState({ hasLists: false, isMeasuring: false })
  const [list, setList] = useState<ListName>('parts')
  const [measured, setMeasured] = useState<{ of: unknown; points: readonly Vector3[] }>()
  const model = useMemo(() => (scene === undefined ? undefined : new BoardObject(scene)), [scene])
  const shownPath = board.status === 'shown' ? board.path : undefined
  const [placed, setPlaced] = useState<string>()
  const { selected, net } = useMemo(
    () => placesIn(scene, { selected: view.selected, net: view.net }),
    [scene, view.selected, view.net],
  )

  const tag = board.status === 'shown' ? board.tag : undefined
  const components = useComponents(host, { path: shownPath, tag, scene })
  const [checked, setChecked] = useState<string>()
  const [chosen, setChosen] = useState<{ of: unknown; at: number }>()
  const check = useBoardJob({
    host,
    path: shownPath,
    operation: 'drc',
    tag: tag !== undefined && checked === tag ? tag : undefined,
    read: (job, signal) => fetchReport(host.workspace, job, signal),
  })
  const report = check.status === 'done' ? check.result : undefined
  const violation = chosen !== undefined && chosen.of === report ? chosen.at : undefined
  const placedParts =
    components.status === 'done' && components.result.scene === scene ? components.result : undefined

  const comparison = useComparison(host, {
    path: shownPath,
    tag,
    revision: view.compare,
    isSideBySide: view.sideBySide === true,
  })
  const changes = comparison.status === 'compared' ? comparison.changes : undefined
  const before = comparison.status === 'compared' ? comparison.before : undefined

  useEffect(() => stage.current?.setLook(LOOK), [stage])
  useEffect(() => {
    // A board that was changed is seen from where the one before it was.
    stage.current?.show(
      model === undefined ? undefined : { object: model.object, core: model.core, isZUp: true, isFlat: true },
      shownPath !== undefined && shownPath === placed,
    )
    if (shownPath !== undefined) setPlaced(shownPath)
    // oxlint-disable-next-line react/exhaustive-deps -- when another board is there, and not when it was noted
  }, [stage, model])
  const look = JSON.stringify([layers, hiddenNets])
  useEffect(() => {
    if (model === undefined || scene === undefined) return
    if (placedParts !== undefined) model.setComponents(placedParts)
    model.compare(changes !== undefined && before !== undefined ? { ...changes, removed: [] } : changes)
    const [shownLayers, hidden] = JSON.parse(look) as [string[], string[]]
    const hiddenPlaces = hiddenIn(scene, hidden)
    const parts = model.apply({ layers: new Set(shownLayers), hiddenNets: hiddenPlaces, net, selected })
    stage.current?.setParts({ ...parts, isolated: undefined })
  }, [stage, model, scene, look, net, selected, placedParts, changes, before])
  useEffect(() => stage.current?.setSection(view.section), [stage, model, view.section])

  useEffect(() => {
    model?.mark(report === undefined ? [] : shownViolations(report), violation)
    stage.current?.refresh()
    // After the look, which shows all that is new.
  }, [stage, model, report, violation])

  const points = measured !== undefined && measured.of === model ? measured.points : []
  const setPoints = (next: readonly Vector3[]) => {
    setMeasured({ of: model, points: next })
    stage.current?.setRuler(next)
  }
  const change = (next: Parameters<typeof boardView.change>[0]) => {
    boardView.change(next)
    if (mayChange && path !== undefined && typeof next.selected === 'string')
      crossProbe({ host, tabId, path, selected: next.selected })
  }
  const select = (at: number | undefined) => {
    const reference = at === undefined ? undefined : scene?.footprints[at]?.reference
    change({ selected: reference || undefined })
  }
  const showNet = (at: number | undefined) =>
    boardView.change({ net: at === undefined ? undefined : scene?.nets[at]?.name || undefined })
  const take = (names: PickedNames) => {
    const isNothing = names.selected === undefined && names.net === undefined
    if (isNothing && view.selected === undefined && view.net === undefined) return
    change({ ...names })
    if (names.selected !== undefined) setList('parts')
    else if (names.net !== undefined) setList('nets')
  }
  const pick = (at?: { readonly x: number; readonly y: number }) => {
    const picked = stage.current?.pick(at)
    if (scene === undefined || model === undefined) return
    if (tools.isMeasuring) {
      if (picked === undefined) return
      const point = middleOfPad(scene, picked.exact) ?? picked.point
      setPoints(points.length === 1 ? [...points, point] : [point])
      return
    }
    take(namesAt(scene, model, picked, new Set(layers)))
  }
  const clear = () => {
    const hasPoints = points.length > 0
    const hasMarks = view.selected !== undefined || view.net !== undefined
    if (hasPoints) setPoints([])
    else if (hasMarks) boardView.change({ selected: undefined, net: undefined })
    return hasPoints || hasMarks
  }
  const replace = (next: string) => {
    const left = ['selected', 'net', 'layers', 'hiddenNets', 'section', 'compare', 'sideBySide'].filter(
      (key) => Object.hasOwn(state, key),
    )
    setState({ ...Object.fromEntries(left.map((key) => [key, null])), path: next })
  }

  return (
    <div className={classes(bar.panel, stageStyles.panel)}>
      <BoardBar
        path={path}
        mayChange={mayChange}
        choose={() => setChoosing(true)}
        hasBoard={scene !== undefined}
        tools={{ ...tools, hasSection: view.section !== undefined }}
        setTools={({ hasSection, ...others }) => {
          if (!others.isMeasuring) setPoints([])
          setTools(others)
          if (hasSection !== (view.section !== undefined))
            boardView.setSection(hasSection ? FIRST_SECTION : undefined)
        }}
        look={(side) => stage.current?.look(side)}
        fit={() => stage.current?.fit()}
      />
      {scene !== undefined && view.section !== undefined && (
        <SectionBar
          section={view.section}
          preview={(section) => stage.current?.setSection(section)}
          setSection={boardView.setSection}
        />
      )}
      <div className={bar.notices}>
        <GraphicsNotice of={stageOf} />
        {board.status === 'failed' && <FailureNotice error={board.error} retry={board.retry} />}
        {scene !== undefined && !scene.hasEdge && (
          <Notice title={words.noEdge.title} tone="warning" isLive>
            {words.noEdge.text}
          </Notice>
        )}
        {components.status === 'failed' && (
          <FailureNotice error={components.error} retry={components.retry} />
        )}
        {components.status === 'missing' && !isDismissed && (
          <Notice
            title={words.engine.missing.title}
            isLive
            action={
              <Button size="sm" variant="ghost" onPress={() => setDismissed(true)}>
                {words.engine.missing.dismiss}
              </Button>
            }
          >
            {shortText(components.hint ?? words.engine.missing.text, 1_000)}
          </Notice>
        )}
        {scene?.isCut === true && (
          <Notice title={words.isCut.title} tone="warning" isLive>
            {words.isCut.text}
          </Notice>
        )}
      </div>
      <div className={stageStyles.body}>
        {tools.hasLists && scene !== undefined && (
          <BoardLists
            scene={scene}
            view={boardView}
            selected={selected}
            net={net}
            select={select}
            showNet={showNet}
            hasComponents={placedParts !== undefined && placedParts.parts.size > 0}
            shown={list}
            show={setList}
            more={[
              {
                id: 'changes',
                label: words.changes.tab,
                content: (
                  <ChangeList
                    host={host}
                    path={shownPath ?? ''}
                    tag={tag ?? ''}
                    comparison={comparison}
                    compare={(revision) =>
                      boardView.change({
                        compare: revision,
                        ...(revision === undefined && view.sideBySide === true && { sideBySide: undefined }),
                      })
                    }
                    isSideBySide={view.sideBySide === true}
                    setSideBySide={(isOn) => boardView.change({ sideBySide: isOn || undefined })}
                    select={(reference) => change({ selected: reference })}
                  />
                ),
              },
              {
                id: 'checks',
                label: words.checks.tab,
                content: (
                  <CheckList
                    check={check}
                    begin={() => setChecked(tag)}
                    selected={violation}
                    select={(at) => {
                      setChosen(at === undefined ? undefined : { of: report, at })
                      const item =
                        report === undefined || at === undefined
                          ? undefined
                          : shownViolations(report)[at]?.items[0]
                      if (item !== undefined)
                        stage.current?.focus(
                          new Vector3(item.x / 1000, scene.thickness / 1000, item.y / 1000),
                          NEAR_METERS,
                        )
                    }}
                  />
                ),
              },
            ]}
          />
        )}
        <div className={styles.views}>
          {changes !== undefined && before !== undefined && (
            <BeforeView
              title={title}
              helpId={helpId}
              scene={before}
              changes={changes}
              view={view}
              layers={layers}
              hiddenNets={hiddenNets}
              beside={stageOf}
              keys={KEYS}
              pick={take}
              clear={clear}
            />
          )}
          <div className={stageStyles.zone}>
            <StageView
              of={stageOf}
              title={title}
              helpId={helpId}
              isPicking={tools.isMeasuring || scene !== undefined}
              pick={pick}
              clear={clear}
              keys={KEYS}
            />
            {before !== undefined && <span className={styles.caption}>{words.changes.now}</span>}
            {tools.isMeasuring && scene !== undefined && (
              <Measuring points={points} facts={AXES} clear={() => setPoints([])} />
            )}
            {board.status === 'none' && (
              <div className={stageStyles.over}>
                <EmptyState title={words.none.title} picture={<CircuitBoard aria-hidden />}>
                  {words.none.text}
                </EmptyState>
              </div>
            )}
            {board.status === 'loading' && (
              <div className={stageStyles.over}>
                <Spinner label={words.loading(board.name)} />
              </div>
            )}
          </div>
        </div>
      </div>
      <div className={bar.status}>
        <output className={stageStyles.facts}>{factsInWords(board)}</output>
        {components.status === 'waiting' && (
          <JobProgress label={words.engine.building} progress={components.progress} />
        )}
        {placedParts !== undefined && scene !== undefined && (
          <span>{words.engine.placing(placedParts.parts.size, scene.footprints.length)}</span>
        )}
        <span id={helpId}>{words.keys}</span>
      </div>
      {isChoosing && (
        <FileDialog
          host={host}
          title={words.chooseFile.title}
          none={words.chooseFile.none}
          offer={(paths) => paths.filter((one) => one.toLowerCase().endsWith('.kicad_pcb'))}
          choose={(next) => {
            setChoosing(false)
            replace(next)
          }}
          close={() => setChoosing(false)}
        />
      )}
    </div>
  )
}

function factsInWords(board: ShownBoard): string {
  if (board.status !== 'shown') return ''
  const { scene, name } = board
  const { positions } = scene.faces
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let at = 0; at + 2 < positions.length; at += 3) {
    const [x = 0, y = 0] = [positions[at], positions[at + 2]]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  const size =
    right < left
      ? ''
      : sizeInWords(new Vector3((right - left) / 1000, (bottom - top) / 1000, scene.thickness / 1000))
  return words.facts({
    name,
    size,
    parts: scene.footprints.length,
    nets: scene.nets.length - 1,
    copper: scene.layers.filter(({ isCopper }) => isCopper).length,
  })
}
