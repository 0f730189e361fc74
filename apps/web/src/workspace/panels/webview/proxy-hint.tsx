import { X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { classes } from '../../../components/classes.ts'
import { IconButton } from '../../../components/icon-button.tsx'
import bar from '../parts/tool-bar.module.css'
import { isMixed } from '../parts/address.ts'
import styles from './webview.module.css'

/** Whether a site forbids frames is not to be seen from outside: whoever sees no page knows best. */
export function ProxyHint({ url, turnOn }: { url: string; turnOn: () => void }) {
  const [isClosed, setClosed] = useState(false)
  if (isClosed) return null
  return (
    <div className={classes(bar.status, styles.hint)}>
      <span>
        {isMixed(url, location.protocol) ? 'Pages over http need the proxy here.' : 'Page not showing?'}
      </span>
      <Button size="sm" variant="ghost" onPress={turnOn}>
        Turn on the proxy
      </Button>
      <span className={styles.close}>
        <IconButton label="Close this hint" size="sm" onPress={() => setClosed(true)}>
          <X aria-hidden />
        </IconButton>
      </span>
    </div>
  )
}
