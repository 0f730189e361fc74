import { Problem } from '@patchbay/contracts/core'
import { useEffect, useRef } from 'react'
import { Notice } from '../../components/notice.tsx'
import { adviseOn } from '../../errors/advice.ts'
import styles from './publish-refusal.module.css'
import { words } from './words.tsx'

interface Finding {
  readonly pointer: string
  readonly message: string
  readonly line: number | undefined
  readonly isWarning: boolean
}

/** Why nothing was published, and everything there is to mend. */
export function PublishRefusal({ error }: { error: unknown }) {
  const { title, detail } = adviseOn(error)
  const findings = findingsOf(error)
  const entry = extensionOf(error, 'entry')
  const frame = useRef<HTMLDivElement>(null)
  // On a small screen it would be below the edge of the dialog.
  useEffect(() => {
    // Without the braces its promise would be taken for the way to clean up.
    frame.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={frame}>
      <Notice title={title} tone="danger" isLive>
        {findings.length === 0 ? (
          <>
            <p>{detail}</p>
            {typeof entry === 'string' && <p>{words.refused.entry(<code>{entry}</code>)}</p>}
          </>
        ) : (
          <>
            <p>{words.refused.fix}</p>
            <ul aria-label={words.refused.findings} className={styles.findings}>
              {findings.map(({ pointer, message, line, isWarning }) => (
                <li key={`${pointer} ${message}`}>
                  <code>{pointer === '' ? 'metadata.json' : pointer}</code>
                  {line !== undefined && ` ${words.refused.line(line)}`}
                  {': '}
                  {message}
                  {isWarning && ` ${words.refused.remark}`}
                </li>
              ))}
            </ul>
          </>
        )}
      </Notice>
    </div>
  )
}

function extensionOf(error: unknown, name: string): unknown {
  return error instanceof Problem ? error.extensions[name] : undefined
}

/** Read with care: a newer server may say more, or say it otherwise. */
function findingsOf(error: unknown): Finding[] {
  const findings = extensionOf(error, 'findings')
  if (!Array.isArray(findings)) return []
  return findings.filter(isRecord).map(({ pointer, message, line, severity }) => ({
    pointer: typeof pointer === 'string' ? pointer : '',
    message: typeof message === 'string' ? message : words.refused.notValid,
    line: typeof line === 'number' ? line : undefined,
    isWarning: severity === 'warning',
  }))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
