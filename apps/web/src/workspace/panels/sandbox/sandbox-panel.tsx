import type { SandboxState } from '@patchbay/contracts/panels'
import { ChevronsUp, RotateCcw } from 'lucide-react'
import { useRef } from 'react'
import { Badge } from '../../../components/badge.tsx'
import type { PanelProps } from '../../panel-definition.ts'
import { BarHandle } from '../parts/bar-handle.tsx'
import bar from '../parts/tool-bar.module.css'
import { ToolButton } from '../parts/tool-button.tsx'
import { RunAgain } from './run-again.tsx'
import styles from './sandbox-panel.module.css'
import { useSandbox } from './use-sandbox.ts'
import { words } from './words.tsx'

/** A frame in which code that is sent over HTTP runs, with what it may reach. */
export function SandboxPanel(props: PanelProps) {
  const { state, mayChange, setState } = props
  const { connect = [], isHeaderHidden = false, lastRun } = state as SandboxState
  const place = useRef<HTMLDivElement>(null)
  const { isReady, reset, ...view } = useSandbox(place, props)
  return (
    <div className={bar.panel}>
      {!isHeaderHidden && (
        <div className={bar.bar}>
          <Badge tone={isReady ? 'ok' : 'neutral'}>{isReady ? words.ready : words.starting}</Badge>
          <span className={styles.network}>
            {connect.length === 0 ? words.noNetwork : words.network(connect)}
            <span className={styles.purpose}>{words.purpose}</span>
          </span>
          <ToolButton label={words.restart} onPress={reset} isDisabled={!mayChange}>
            <RotateCcw aria-hidden />
          </ToolButton>
          <ToolButton
            label={words.hideBar}
            onPress={() => setState({ isHeaderHidden: true })}
            isDisabled={!mayChange}
          >
            <ChevronsUp aria-hidden />
          </ToolButton>
        </div>
      )}
      {lastRun !== undefined && (view.isEmpty || view.failure !== undefined) && (
        <RunAgain lastRun={lastRun} view={view} isDisabled={!isReady} mayChange={mayChange} />
      )}
      <div className={styles.page}>
        <div ref={place} className={styles.place} />
        {isHeaderHidden && mayChange && (
          <BarHandle label={words.showBar} onPress={() => setState({ isHeaderHidden: false })} />
        )}
      </div>
    </div>
  )
}
