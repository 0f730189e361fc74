import { Boxes, CircleUser, LogIn, LogOut, Users } from 'lucide-react'
import { useEffect } from 'react'
import { MenuTrigger } from 'react-aria-components/Menu'
import { useLocation } from 'react-router'
import { Button } from '../components/button.tsx'
import { ButtonLink } from '../components/button-link.tsx'
import { Menu } from '../components/menu.tsx'
import { notify } from '../components/toast.tsx'
import { describeFailure } from '../errors/failure.ts'
import styles from './account-menu.module.css'
import { useSession } from './session-context.tsx'
import { useSignOut } from './use-sign-out.ts'
import { words } from './words.ts'

const ACCOUNT = {
  id: 'account',
  label: words.menu.account,
  href: '/account',
  icon: <CircleUser aria-hidden />,
}
const PEOPLE = {
  id: 'people',
  label: words.menu.people,
  href: '/account/people',
  icon: <Users aria-hidden />,
}
/** These lead somewhere themselves once the person is signed in. */
const WAYS_IN = new Set(['/', '/sign-in', '/sign-up', '/welcome'])
const signInAddress = (from: string) =>
  WAYS_IN.has(from) ? '/sign-in' : `/sign-in?return_to=${encodeURIComponent(from)}`

const SIGN_OUT = { id: 'sign-out', label: words.menu.signOut, icon: <LogOut aria-hidden /> }

/** The right end of the top bar: who is signed in, or the way to do so. */
export function AccountMenu() {
  const { session } = useSession()
  const { pathname } = useLocation()
  const signOut = useSignOut()
  useEffect(() => {
    if (signOut.error !== undefined) notify({ title: describeFailure(signOut.error).title, tone: 'danger' })
  }, [signOut.error])
  // Its place is kept, so that nothing in the bar moves when the answer comes.
  if (session.state === 'loading') return <span className={styles.place} />
  if (session.state === 'failed' || session.person === null) {
    return (
      <ButtonLink href={signInAddress(pathname)} variant="ghost" icon={<LogIn aria-hidden />}>
        {words.menu.signIn}
      </ButtonLink>
    )
  }
  const { handle, is_admin } = session.person
  const packages = {
    id: 'packages',
    label: words.menu.packages,
    href: `/publishers/${handle}`,
    icon: <Boxes aria-hidden />,
  }
  return (
    <MenuTrigger>
      <Button
        variant="ghost"
        aria-label={words.menu.signedInAs(handle)}
        icon={<CircleUser aria-hidden />}
        isPending={signOut.isPending}
      >
        <span className={styles.handle}>{handle}</span>
      </Button>
      <Menu
        aria-label={words.menu.label}
        entries={[ACCOUNT, packages, ...(is_admin ? [PEOPLE] : []), SIGN_OUT]}
        onAction={(id) => {
          if (id === 'sign-out') signOut.run()
        }}
      />
    </MenuTrigger>
  )
}
