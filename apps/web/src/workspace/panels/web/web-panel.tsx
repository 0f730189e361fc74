import { Link } from '../../../components/link.tsx'
import { Notice } from '../../../components/notice.tsx'
import type { PanelProps } from '../../panel-definition.ts'
import bar from '../parts/tool-bar.module.css'
import { frameRights } from '../webview/frame-rights.ts'
import { PageFrame } from '../webview/page-frame.tsx'
import styles from '../webview/webview.module.css'
import { words } from './words.tsx'

/** A panel that somebody has added to the catalog: a page of theirs. */
export function WebPanel({ title, panel }: PanelProps) {
  const address = panel.url === undefined ? null : URL.parse(panel.url)
  if (address === null || !/^https?:$/.test(address.protocol)) {
    return (
      <div className={bar.notices}>
        <Notice title={words.none.title} tone="warning">
          {words.none.text}
        </Notice>
      </div>
    )
  }
  return (
    <div className={bar.panel}>
      <div className={styles.page}>
        <PageFrame
          key={address.href}
          address={address.href}
          title={title}
          rights={frameRights(address.href, location.origin)}
        />
      </div>
      <div className={bar.status}>
        <span>
          {words.from(
            <Link href={address.href} opensNewTab>
              {address.origin}
            </Link>,
          )}
        </span>
      </div>
    </div>
  )
}
