import type { Person } from '@patchbay/contracts/identity'
import { Button } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useList } from '../../session/use-list.ts'
import { Page } from '../../shell/page.tsx'
import { Entries } from '../../parts/entries.tsx'
import { Section } from '../../parts/section.tsx'
import { SignedInOnly } from '../signed-in-only.tsx'
import { Invite } from './invite.tsx'
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
      lead="Everybody with an account on this installation."
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
