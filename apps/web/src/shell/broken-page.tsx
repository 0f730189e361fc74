import { Copy, House, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useRouteError } from 'react-router'
import { Button } from '../components/button.tsx'
import { Lamp } from '../components/lamp.tsx'
import { Notice } from '../components/notice.tsx'
import { errorDetails } from '../errors/error-details.ts'
import styles from './broken-page.module.css'
import { useDocumentTitle } from './page.tsx'
import { words } from './words.tsx'

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
  useDocumentTitle(words.broken.tabTitle)

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
      <Lamp state="danger" label={words.broken.lamp} />
      <h1 tabIndex={-1} className={styles.title}>
        {words.broken.heading}
      </h1>
      <p className={styles.lead}>{words.broken.lead}</p>
      <div className={styles.actions}>
        <Button variant="primary" icon={<RotateCw aria-hidden />} onPress={() => location.reload()}>
          {words.broken.reload}
        </Button>
        <Button icon={<Copy aria-hidden />} onPress={() => void copy()}>
          {copied === 'yes' ? words.broken.copied : words.broken.copy}
        </Button>
        {/* A full load, not the router: it may be what broke. */}
        <Button variant="ghost" icon={<House aria-hidden />} onPress={() => location.assign('/')}>
          {words.goHome}
        </Button>
      </div>
      {copied === 'refused' && (
        <Notice tone="warning" title={words.broken.copyRefused.title} isLive>
          {words.broken.copyRefused.detail}
        </Notice>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines scroll, and the keyboard must reach that */}
      <pre tabIndex={0} aria-label={words.broken.details} className={styles.details}>
        {details}
      </pre>
    </div>
  )
}
