import type { ScriptRunnerState } from '@patchbay/contracts/panels'
import { Eraser, Play, Square } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Select } from '../../../components/select.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import type { PanelProps } from '../../panel-definition.ts'
import type { Editor } from '../code-editor/editor-view.ts'
import bar from '../parts/tool-bar.module.css'
import { ToolBar } from '../parts/tool-bar.tsx'
import { ToolButton } from '../parts/tool-button.tsx'
import { FileScript } from './file-script.tsx'
import { OwnScript } from './own-script.tsx'
import { readScript } from './script-file.ts'
import { ScriptOutput } from './script-output.tsx'
import styles from './script-runner.module.css'
import { SourceChoice } from './source-choice.tsx'
import { useRunner } from './use-runner.ts'
import { words } from './words.ts'

const READ_DEADLINE_MS = 30_000
const TIMEOUTS = [
  { id: '1000', label: words.seconds(1) },
  { id: '5000', label: words.seconds(5) },
  { id: '30000', label: words.seconds(30) },
]

export function ScriptRunnerPanel(props: PanelProps) {
  const { title, state, mayChange, setState, host } = props
  const { path } = state as ScriptRunnerState
  const editor = useRef<Editor>(null)
  const place = useRef<HTMLDivElement>(null)
  const [timeout, setTimeoutChoice] = useState('5000')
  const [failure, setFailure] = useState<unknown>()
  const runner = useRunner(place, title, host)

  const run = async () => {
    setFailure(undefined)
    // What is stored now, also where this page has not heard of it yet.
    const stored = (file: string) => () =>
      readScript(host.workspace, file, AbortSignal.timeout(READ_DEADLINE_MS))
    const script = path === undefined ? { code: editor.current?.text() ?? '' } : { code: stored(path), path }
    await runner.run(script, Number(timeout)).catch(setFailure)
  }
  return (
    <div className={bar.panel}>
      <ToolBar label={words.bar}>
        <Button
          size="sm"
          variant="primary"
          icon={<Play aria-hidden />}
          isDisabled={!runner.isReady || runner.isRunning}
          onPress={() => void run()}
        >
          {words.run}
        </Button>
        <Button size="sm" icon={<Square aria-hidden />} isDisabled={!runner.isRunning} onPress={runner.stop}>
          {words.stop}
        </Button>
        <SourceChoice
          host={host}
          path={path}
          isDisabled={!mayChange}
          choose={(next) => setState({ path: next ?? null })}
        />
        <div className={bar.middling}>
          <Select
            label={words.longestRun}
            isLabelHidden
            size="sm"
            options={TIMEOUTS}
            value={timeout}
            onChange={(id) => setTimeoutChoice(String(id))}
          />
        </div>
        <span className={bar.push}>
          <ToolButton label={words.clear} onPress={runner.clear}>
            <Eraser aria-hidden />
          </ToolButton>
        </span>
      </ToolBar>
      {failure !== undefined && (
        <div className={bar.notices}>
          <FailureNotice error={failure} />
        </div>
      )}
      {path === undefined ? (
        <OwnScript
          panel={props}
          hold={(made) => {
            editor.current = made
          }}
          onRun={() => void run()}
        />
      ) : (
        <FileScript key={path} host={host} path={path} onRun={() => void run()} />
      )}
      <ScriptOutput lines={runner.lines} />
      <div className={bar.status}>
        <span>{path === undefined ? words.running : words.runningFile}</span>
        <span>{words.leaving}</span>
      </div>
      <div ref={place} inert className={styles.frame} />
    </div>
  )
}
