import type { Publication } from '@patchbay/contracts/registry'
import { useEffect, useRef } from 'react'
import { CopyField } from '../../components/copy-field.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { installCommand } from '../feeds.ts'
import styles from './publish-dialog.module.css'

/** What came of it, where to look at it, and what its author may want to mend next time. */
export function Published({ publication }: { publication: Publication }) {
  const { identifier, version, is_indexed, visibility, warnings } = publication
  const frame = useRef<HTMLElement>(null)
  // The button that sent it is gone; without this the focus would fall on the one that closes the dialog.
  useEffect(() => frame.current?.focus(), [])
  const isPrivate = visibility === 'private'
  return (
    <section ref={frame} tabIndex={-1} aria-label="Published" className={styles.form}>
      <Notice title={`${identifier} ${version} is published`} tone="ok" isLive>
        <p>
          {is_indexed ? 'It is already in the feeds.' : 'It will be in the feeds within seconds.'}{' '}
          {isPrivate && 'It is private. '}
          <Link href={`/packages/${identifier}`}>View package</Link>
        </p>
      </Notice>
      {warnings.length > 0 && (
        <Notice title="Metadata warnings" tone="warning">
          <ul>
            {warnings.map(({ pointer, message }) => (
              <li key={`${pointer} ${message}`}>
                {pointer !== '' && <code>{pointer}</code>} {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <CopyField label="To install it" value={installCommand(identifier)} />
    </section>
  )
}
