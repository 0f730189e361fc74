import type { Viewer3dState } from '@patchbay/contracts/panels'
import { Box } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { DropZone } from 'react-aria-components/DropZone'
import { classes } from '../../../components/classes.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import type { PanelProps } from '../../panel-definition.ts'
import { FileDialog } from '../files/file-dialog.tsx'
import bar from '../parts/tool-bar.module.css'
import { sizeInWords } from './measure-model.ts'
import { MODEL_ENDINGS } from './mesh-formats.ts'
import { OnlyHere } from './only-here.tsx'
import { makeStage, type Stage, type StageLook } from './stage.ts'
import { type ShownModel, useModel } from './use-model.ts'
import styles from './viewer-3d.module.css'
import { ViewerBar } from './viewer-bar.tsx'
import { words } from './words.ts'

const STEP = Math.PI / 24

/** What each key does to the view. */
const KEYS: Readonly<Record<string, (stage: Stage) => void>> = {
  ArrowLeft: (stage) => stage.turn(-STEP, 0),
  ArrowRight: (stage) => stage.turn(STEP, 0),
  ArrowUp: (stage) => stage.turn(0, -STEP),
  ArrowDown: (stage) => stage.turn(0, STEP),
  '+': (stage) => stage.approach(0.9),
  '=': (stage) => stage.approach(0.9),
  '-': (stage) => stage.approach(1 / 0.9),
  f: (stage) => stage.fit(),
  r: (stage) => stage.reset(),
}

/** Whether the key was one of ours. Shortcuts of the page and the browser are not. */
function pressKey(
  stage: Stage | null,
  { key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
): boolean {
  const act = ctrlKey || metaKey || altKey ? undefined : KEYS[key]
  if (stage === null || act === undefined) return false
  act(stage)
  return true
}

const FIRST_LOOK: StageLook = { isWired: false, hasGrid: true, hasAxes: false }

export function Viewer3dPanel({ title, state, mayChange, setState, host }: PanelProps) {
  const { path, url } = state as Viewer3dState
  const [isChoosing, setChoosing] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const stage = useRef<Stage>(null)
  const [graphics, setGraphics] = useState<'fine' | 'missing' | 'lost'>('fine')
  const [look, setLook] = useState(FIRST_LOOK)
  const helpId = useId()
  useEffect(() => {
    if (place.current === null) return undefined
    const made = makeStage(place.current, () => setGraphics('lost'))
    if (made === undefined) setGraphics('missing')
    stage.current = made ?? null
    return () => {
      stage.current = null
      made?.dispose()
    }
  }, [])
  useEffect(() => stage.current?.setLook(look), [look])
  // After the stage: a model that is there already needs one.
  const { model, open } = useModel(stage, host.workspace, {
    ...(path !== undefined && { path }),
    ...(url !== undefined && { url }),
  })
  const [dropped, setDropped] = useState<File>()
  const [dismissed, setDismissed] = useState<ShownModel>()
  const local = model.status === 'shown' && model !== dismissed ? model.local : undefined
  const show = (next: string) => setState({ path: next, ...(url !== undefined && { url: null }) })

  return (
    <div className={bar.panel}>
      <ViewerBar
        url={url}
        mayChange={mayChange}
        setUrl={(next) => setState({ url: next, ...(path !== undefined && { path: null }) })}
        open={(file) => void open(file)}
        choose={() => setChoosing(true)}
        look={look}
        setLook={setLook}
        fit={() => stage.current?.fit()}
        reset={() => stage.current?.reset()}
      />
      {(graphics !== 'fine' || model.status === 'failed' || local !== undefined) && (
        <div className={bar.notices}>
          {graphics === 'missing' && (
            <Notice title={words.noGraphics.title} tone="danger" isLive>
              {words.noGraphics.text}
            </Notice>
          )}
          {graphics === 'lost' && (
            <Notice title={words.graphicsLost.title} tone="danger" isLive>
              {words.graphicsLost.text}
            </Notice>
          )}
          {local !== undefined && (
            <OnlyHere
              host={host}
              key={local.name}
              file={local}
              startsNow={local === dropped}
              shared={mayChange ? show : undefined}
              dismiss={() => setDismissed(model)}
            />
          )}
          {model.status === 'failed' && <FailureNotice error={model.error} retry={model.retry} />}
        </div>
      )}
      <DropZone
        aria-label={words.drop}
        className={classes(styles.zone)}
        getDropOperation={(types) => (types.has('directory') ? 'cancel' : 'copy')}
        onDrop={({ items }) => {
          const item = items.find((one) => one.kind === 'file')
          void item?.getFile().then((file) => {
            setDropped(file)
            return open(file)
          })
        }}
      >
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application takes keys */}
        <div
          ref={place}
          role="application"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- and the focus
          tabIndex={0}
          aria-label={words.view(title)}
          aria-describedby={helpId}
          className={styles.stage}
          onKeyDown={(event) => {
            if (pressKey(stage.current, event)) event.preventDefault()
          }}
        />
        {model.status === 'none' && (
          <div className={styles.over}>
            <EmptyState title={words.none.title} picture={<Box aria-hidden />}>
              {words.none.text}
            </EmptyState>
          </div>
        )}
        {model.status === 'loading' && (
          <div className={styles.over}>
            <Spinner label={words.loading(model.name)} />
          </div>
        )}
      </DropZone>
      <ModelStatus model={model} helpId={helpId} />
      {isChoosing && (
        <FileDialog
          host={host}
          title={words.chooseFile.title}
          none={words.chooseFile.none}
          offer={(paths) =>
            paths.filter((one) => MODEL_ENDINGS.includes(one.split('.').at(-1)?.toLowerCase() ?? ''))
          }
          choose={(chosen) => {
            setChoosing(false)
            show(chosen)
          }}
          close={() => setChoosing(false)}
        />
      )}
    </div>
  )
}

function ModelStatus({ model, helpId }: { model: ShownModel; helpId: string }) {
  return (
    <div className={bar.status}>
      <output className={styles.facts}>{factsInWords(model)}</output>
      <span id={helpId}>{words.keys}</span>
    </div>
  )
}

function factsInWords(model: ShownModel): string {
  if (model.status !== 'shown') return ''
  const { name, bytes, facts } = model
  const triangles = words.triangles(facts.triangles)
  return [name, triangles, sizeInWords(facts.size), bytesInWords(bytes)].join(' · ')
}

function bytesInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${words.units.bytes}`
  const [amount, unit] =
    bytes < 1_000_000 ? [bytes / 1000, words.units.kilobytes] : [bytes / 1_000_000, words.units.megabytes]
  return `${amount.toLocaleString('en', { maximumSignificantDigits: 3 })} ${unit}`
}
