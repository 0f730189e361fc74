import type { Person } from '@patchbay/contracts/identity'
import { CircleUser } from 'lucide-react'
import { Button } from '../components/button.tsx'
import { FailureNotice } from '../server/failure-notice.tsx'
import { useSignOut } from '../session/use-sign-out.ts'
import styles from './signed-in-as.module.css'
import { words } from './words.ts'

/** Whose name something is done in, and the way to another one. */
export function SignedInAs({ person }: { person: Person }) {
  const signOut = useSignOut()
  return (
    <div className={styles.frame}>
      <div className={styles.row}>
        <CircleUser aria-hidden className={styles.icon} />
        <p className={styles.who}>
          <span className={styles.small}>{words.signedInAs.label}</span>
          <span className={styles.name}>
            <bdi>{person.display_name}</bdi> <span className={styles.handle}>{person.handle}</span>
          </span>
        </p>
        <Button variant="ghost" size="sm" isPending={signOut.isPending} onPress={() => signOut.run()}>
          {words.signedInAs.switchAccount}
        </Button>
      </div>
      <FailureNotice error={signOut.error} />
    </div>
  )
}
