import type { Person } from '@patchbay/contracts/identity'
import { LogOut, Users } from 'lucide-react'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useSignOut } from '../../session/use-sign-out.ts'
import { Page } from '../../shell/page.tsx'
import { SignedInOnly } from '../signed-in-only.tsx'
import styles from './account.module.css'
import { ApiKeys } from './api-keys.tsx'
import { Organizations } from './organizations.tsx'
import { Passkeys } from './passkeys.tsx'
import { Sessions } from './sessions.tsx'
import { words } from './words.tsx'

export function AccountPage() {
  return (
    <SignedInOnly title={words.page.title} lead={words.page.signedOutLead}>
      {(person) => <Account key={person.handle} person={person} />}
    </SignedInOnly>
  )
}

function Account({ person }: { person: Person }) {
  const signOut = useSignOut()
  useFragment()
  return (
    <Page title={words.page.title} lead={words.page.lead}>
      <div className={styles.person}>
        <p className={styles.names}>
          <bdi className={styles.name}>{person.display_name}</bdi>
          <span className={styles.handle}>{person.handle}</span>
          {person.is_admin && <Badge tone="info">{words.page.administrator}</Badge>}
        </p>
        <div className={styles.actions}>
          {person.is_admin && (
            <ButtonLink href="/account/people" icon={<Users aria-hidden />}>
              {words.page.people}
            </ButtonLink>
          )}
          <Button icon={<LogOut aria-hidden />} isPending={signOut.isPending} onPress={() => signOut.run()}>
            {words.page.signOut}
          </Button>
        </div>
        <FailureNotice error={signOut.error} />
      </div>
      <Sessions />
      <Passkeys />
      <ApiKeys person={person} />
      <Organizations person={person} />
    </Page>
  )
}

/** The browser looks for the named part before this page has asked who is signed in, and finds nothing then. */
function useFragment(): void {
  const { hash } = useLocation()
  useEffect(() => {
    if (hash === '') return
    const part = document.querySelector<HTMLElement>(`main #${CSS.escape(hash.slice(1))}`)
    part?.focus({ preventScroll: true })
    part?.scrollIntoView()
  }, [hash])
}
