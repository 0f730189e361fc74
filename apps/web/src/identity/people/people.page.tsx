import { type Person, postInvitation } from '@patchbay/contracts/identity'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { Entries } from '../../parts/entries.tsx'
import { Section } from '../../parts/section.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useSession } from '../../session/session-context.tsx'
import { useList } from '../../session/use-list.ts'
import { Page } from '../../shell/page.tsx'
import { When } from '../../time/when.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { ShownOnce } from '../shown-once.tsx'
import { SignedInOnly } from '../signed-in-only.tsx'
import { fetchPeople } from './people.api.ts'
import { PersonEntry } from './person-entry.tsx'

export function PeoplePage() {
  return (
    <SignedInOnly title="People" lead="Sign in as an administrator to see who has an account here.">
      {(person) =>
        person.is_admin ? (
          <People key={person.handle} person={person} />
        ) : (
          <Page title="People">
            <Notice title="This page is for administrators" tone="warning">
              <p>
                Your account is not an administrator. <Link href="/account">Back to your account</Link>
              </p>
            </Notice>
          </Page>
        )
      }
    </SignedInOnly>
  )
}

function People({ person }: { person: Person }) {
  const { answer, reload, more } = useList(fetchPeople)
  return (
    <Page
      title="People"
      lead="Everyone with an account on this server."
      legend={<Link href="/account">Your account</Link>}
    >
      <Section
        id="accounts"
        title="Accounts"
        lead="Disabling an account ends its sessions and API keys for good. What it owns stays, unless you quarantine its packages."
        action={<Invite />}
      >
        <Entries
          label="Accounts"
          answer={answer}
          reload={reload}
          empty="No one yet."
          keyOf={({ handle }) => handle}
        >
          {(listed) => (
            <PersonEntry listed={listed} isYou={listed.handle === person.handle} onChanged={reload} />
          )}
        </Entries>
        {more !== undefined && (
          <>
            <FailureNotice error={more.error} />
            <Button isPending={more.isPending} onPress={() => more.run()}>
              Show more people
            </Button>
          </>
        )}
      </Section>
    </Page>
  )
}

function Invite() {
  const { change } = useSession()
  const [makesAdmin, setMakesAdmin] = useState(false)
  const invite = async () => {
    const { body } = await change(postInvitation, { body: { makes_admin: makesAdmin } })
    setMakesAdmin(false)
    return (
      <ShownOnce label="Invitation link" value={body.url} warning="Copy the link now. It is not shown again.">
        Whoever opens it first makes the account. It expires <When at={body.expires_at} />.
      </ShownOnce>
    )
  }
  return (
    <FormDialog
      label="Invite someone"
      icon={<UserPlus aria-hidden />}
      title="Invite someone"
      submitLabel="Create link"
      canSubmit
      submit={invite}
    >
      <p>Creates a link that lets one person create an account, whatever this server’s sign-up rule is.</p>
      <Checkbox isSelected={makesAdmin} onChange={setMakesAdmin}>
        Make them an administrator
      </Checkbox>
    </FormDialog>
  )
}
