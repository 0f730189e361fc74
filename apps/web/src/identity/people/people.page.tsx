import { type Person, postInvitation } from '@patchbay/contracts/identity'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { Entries } from '../../parts/entries.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Section } from '../../parts/section.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useSession } from '../../session/session-context.tsx'
import { useList } from '../../session/use-list.ts'
import { Page } from '../../shell/page.tsx'
import { When } from '../../time/when.tsx'
import { ShownOnce } from '../shown-once.tsx'
import { SignedInOnly } from '../signed-in-only.tsx'
import { fetchPeople } from './people.api.ts'
import { PersonEntry } from './person-entry.tsx'
import { words } from './words.tsx'

export function PeoplePage() {
  return (
    <SignedInOnly title={words.page.title} lead={words.page.signedOutLead}>
      {(person) =>
        person.is_admin ? (
          <People key={person.handle} person={person} />
        ) : (
          <Page title={words.page.title}>
            <Notice title={words.notAdministrator.title} tone="warning">
              <p>
                {words.notAdministrator.detail(<Link href="/account">{words.notAdministrator.link}</Link>)}
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
      title={words.page.title}
      lead={words.page.lead}
      legend={<Link href="/account">{words.page.yourAccount}</Link>}
    >
      <Section id="accounts" title={words.accounts.heading} lead={words.accounts.lead} action={<Invite />}>
        <Entries
          label={words.accounts.list}
          answer={answer}
          reload={reload}
          empty={words.accounts.none}
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
              {words.accounts.more}
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
      <ShownOnce label={words.invited.label} value={body.url} warning={words.invited.warning}>
        {words.invited.advice(<When at={body.expires_at} />)}
      </ShownOnce>
    )
  }
  return (
    <FormDialog
      label={words.invite.label}
      icon={<UserPlus aria-hidden />}
      title={words.invite.title}
      submitLabel={words.invite.submit}
      canSubmit
      submit={invite}
    >
      <p>{words.invite.explanation}</p>
      <Checkbox isSelected={makesAdmin} onChange={setMakesAdmin}>
        {words.invite.makesAdministrator}
      </Checkbox>
    </FormDialog>
  )
}
