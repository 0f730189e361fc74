import type { LastRun } from '@patchbay/contracts/panels'
import { Play } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { Notice } from '../../../components/notice.tsx'
import { When } from '../../../time/when.tsx'
import bar from '../parts/tool-bar.module.css'
import styles from './sandbox-panel.module.css'
import type { SandboxView } from './use-sandbox.ts'

interface RunAgainProps {
  lastRun: LastRun
  view: Pick<SandboxView, 'run' | 'failure' | 'why'>
  isDisabled: boolean
  mayChange: boolean
}

/** That what code drew is gone, with the last code and who sent it. */
export function RunAgain({ lastRun: { code, by, at }, view, isDisabled, mayChange }: RunAgainProps) {
  const { run, failure, why } = view
  return (
    <div className={bar.notices}>
      <Notice
        title={titleFor(view)}
        tone={failure !== undefined ? 'danger' : why !== undefined ? 'warning' : 'info'}
        isLive
        action={
          mayChange &&
          code !== undefined && (
            <Button size="sm" icon={<Play aria-hidden />} isDisabled={isDisabled} onPress={() => run(code)}>
              Run again
            </Button>
          )
        }
      >
        {(failure ?? why) !== undefined && <p>{failure ?? why}</p>}
        <p>
          Last code from <strong>{by.name}</strong> ({by.handle}), <When at={at} />.
          {code === undefined && ' It was too long to keep: send it again.'}
        </p>
        {code !== undefined && (
          <details className={styles.code}>
            <summary>Show the code</summary>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard */}
            <pre tabIndex={0}>{code}</pre>
          </details>
        )}
      </Notice>
    </div>
  )
}

function titleFor({ failure, why }: RunAgainProps['view']): string {
  if (failure !== undefined) return 'The code failed'
  return why === undefined ? 'What code drew here is not kept' : 'The sandbox was restarted'
}
