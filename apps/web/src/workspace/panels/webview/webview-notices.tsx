import { Notice } from '../../../components/notice.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import bar from '../parts/tool-bar.module.css'
import type { ProxyTicket } from './use-proxy-ticket.ts'

interface WebviewNoticesProps {
  ticket: ProxyTicket
  retry: () => void
  /** What the proxy did not let the page do. */
  blocked: string | undefined
}

export function WebviewNotices({ ticket, retry, blocked }: WebviewNoticesProps) {
  const isUnavailable = ticket.status === 'unavailable'
  if (!isUnavailable && ticket.status !== 'failed' && blocked === undefined) return null
  return (
    <div className={bar.notices}>
      {isUnavailable && (
        <Notice title="The proxy is not enabled on this server" tone="warning" isLive>
          The page is shown directly. Sites that forbid frames stay empty.
        </Notice>
      )}
      {ticket.status === 'failed' && <FailureNotice error={ticket.error} retry={retry} />}
      {blocked !== undefined && (
        <Notice title="The proxy only reads pages" tone="warning" isLive>
          {blocked === 'form'
            ? 'What you filled in was not sent. Turn the proxy off, or open the page in a tab of its own.'
            : 'The proxy blocked an action of this page.'}
        </Notice>
      )}
    </div>
  )
}
