import { Copy, House, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useRouteError } from 'react-router'
import { Button } from '../components/button.tsx'
import { Lamp } from '../components/lamp.tsx'
import { Notice } from '../components/notice.tsx'
import { errorDetails } from '../errors/error-details.ts'
import styles from './broken-page.module.css'
import { useDocumentTitle } from './page.tsx'

/** In place of a page that threw. The shell around it still works. */
export function BrokenPage() {
  return <Broken />
}

/** In place of everything, when the shell itself threw: nothing of it may be used here. */
export function BrokenShell() {
  return (
    <main className={styles.alone}>
      <Broken />
    </main>
  )
}

function Broken() {
  const error = useRouteError()
  const { pathname } = useLocation()
  const [copied, setCopied] = useState<'no' | 'yes' | 'refused'>('no')
  const details = errorDetails(error, pathname)
  useDocumentTitle('Something broke')

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(details)
      setCopied('yes')
    } catch {
      // Refused, or not there at all without HTTPS.
      setCopied('refused')
    }
  }

  return (
    <div className={styles.broken}>
      <Lamp state="danger" label="Fault on this page" />
      <h1 tabIndex={-1} className={styles.title}>
        This page stopped working
      </h1>
      <p className={styles.lead}>
        Patchbay itself is fine, and so is everything you saved. Reload to try again. If it happens twice, the
        details below help whoever looks into it.
      </p>
      <div className={styles.actions}>
        <Button variant="primary" icon={<RotateCw aria-hidden />} onPress={() => location.reload()}>
          Reload the page
        </Button>
        <Button icon={<Copy aria-hidden />} onPress={() => void copy()}>
          {copied === 'yes' ? 'Copied' : 'Copy details'}
        </Button>
        {/* A full load, not the router: it may be what broke. */}
        <Button variant="ghost" icon={<House aria-hidden />} onPress={() => location.assign('/')}>
          Go to the home page
        </Button>
      </div>
      {copied === 'refused' && (
        <Notice tone="warning" title="Could not access the clipboard" isLive>
          Select the text below and copy it by hand.
        </Notice>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines scroll, and the keyboard must reach that */}
      <pre tabIndex={0} aria-label="Details of the fault" className={styles.details}>
        {details}
      </pre>
    </div>
  )
}
