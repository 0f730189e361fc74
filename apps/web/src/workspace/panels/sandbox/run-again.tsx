import type { LastRun } from '@patchbay/contracts/panels'
import { Play } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { Notice } from '../../../components/notice.tsx'
import { When } from '../../../time/when.tsx'
import bar from '../parts/tool-bar.module.css'
import styles from './sandbox-panel.module.css'
import type { SandboxView } from './use-sandbox.ts'
import { words } from './words.tsx'

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
              {words.lastRun.again}
            </Button>
          )
        }
      >
        {(failure ?? why) !== undefined && <p>{failure ?? why}</p>}
        <p>
          {words.lastRun.by(<strong>{by.name}</strong>, by.handle, <When at={at} />)}
          {code === undefined && words.lastRun.tooLong}
        </p>
        {code !== undefined && (
          <details className={styles.code}>
            <summary>{words.lastRun.show}</summary>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard */}
            <pre tabIndex={0}>{code}</pre>
          </details>
        )}
      </Notice>
    </div>
  )
}

function titleFor({ failure, why }: RunAgainProps['view']): string {
  if (failure !== undefined) return words.lastRun.failed
  return why === undefined ? words.lastRun.notKept : words.lastRun.restarted
}
