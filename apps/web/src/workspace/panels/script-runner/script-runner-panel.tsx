import { Eraser, Play, Square } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Select } from '../../../components/select.tsx'
import { CodeArea } from '../code-editor/code-area.tsx'
import type { Editor } from '../code-editor/editor-view.ts'
import { TextNotices } from '../code-editor/text-notices.tsx'
import { useStoredText } from '../code-editor/use-stored-text.ts'
import type { PanelProps } from '../../panel-definition.ts'
import bar from '../parts/tool-bar.module.css'
import { ToolBar } from '../parts/tool-bar.tsx'
import { ToolButton } from '../parts/tool-button.tsx'
import { ScriptOutput } from './script-output.tsx'
import styles from './script-runner.module.css'
import { useRunner } from './use-runner.ts'

const TIMEOUTS = [
  { id: '1000', label: '1 second' },
  { id: '5000', label: '5 seconds' },
  { id: '30000', label: '30 seconds' },
]

export function ScriptRunnerPanel(props: PanelProps) {
  const { title, mayChange, host } = props
  const editor = useRef<Editor>(null)
  const place = useRef<HTMLDivElement>(null)
  const edited = useStoredText(editor, 'code', props)
  const [timeout, setTimeoutChoice] = useState('5000')
  const runner = useRunner(place, title, host.log)
  const run = () => runner.run(editor.current?.text() ?? '', Number(timeout))
  return (
    <div className={bar.panel}>
      <ToolBar label="Script runner">
        <Button
          size="sm"
          variant="primary"
          icon={<Play aria-hidden />}
          isDisabled={!runner.isReady || runner.isRunning}
          onPress={run}
        >
          Run
        </Button>
        <Button size="sm" icon={<Square aria-hidden />} isDisabled={!runner.isRunning} onPress={runner.stop}>
          Stop
        </Button>
        <div className={bar.middling}>
          <Select
            label="Longest run"
            isLabelHidden
            size="sm"
            options={TIMEOUTS}
            value={timeout}
            onChange={(id) => setTimeoutChoice(String(id))}
          />
        </div>
        <span className={bar.push}>
          <ToolButton label="Clear the output" onPress={runner.clear}>
            <Eraser aria-hidden />
          </ToolButton>
        </span>
      </ToolBar>
      <TextNotices edited={edited} mayChange={mayChange} />
      <CodeArea
        hold={(made) => {
          editor.current = made
        }}
        text={edited.text}
        label={title}
        language="javascript"
        isReadOnly={!mayChange}
        onEdit={edited.onEdit}
        onLeave={edited.onLeave}
        onRun={run}
      />
      <ScriptOutput lines={runner.lines} />
      <div className={bar.status}>
        <span>Ctrl+Enter runs it</span>
        <span>Esc, then Tab leaves the editor</span>
      </div>
      <div ref={place} inert className={styles.frame} />
    </div>
  )
}
