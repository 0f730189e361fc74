import type { Organisation, Person } from '@patchbay/contracts'
import { Building2 } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { useLoaded } from '../../server/use-loaded.ts'
import { countOf } from '../../time/words.ts'
import { Entries, Entry } from '../../parts/entries.tsx'
import { Section } from '../../parts/section.tsx'
import { fetchOrganisations } from './account.api.ts'
import { CreateOrganisation } from './create-organisation.tsx'
import { MembersDialog } from './members-dialog.tsx'
import { ROLE_NAMES } from './roles.ts'

export function Organisations({ person }: { person: Person }) {
  const { answer, reload } = useLoaded(fetchOrganisations)
  return (
    <Section
      id="organisations"
      title="Organisations"
      lead="They own workspaces and packages, so that these do not depend on one person."
      action={<CreateOrganisation onCreated={reload} />}
    >
      <Entries
        label="Your organisations"
        answer={answer}
        reload={reload}
        empty="You belong to no organisation."
        keyOf={({ handle }) => handle}
      >
        {(organisation) => (
          <OrganisationEntry organisation={organisation} person={person} onChanged={reload} />
        )}
      </Entries>
    </Section>
  )
}

interface OrganisationEntryProps {
  organisation: Organisation
  person: Person
  onChanged: () => void
}

function OrganisationEntry({ organisation, person, onChanged }: OrganisationEntryProps) {
  return (
    <Entry
      icon={<Building2 aria-hidden />}
      title={<bdi>{organisation.display_name}</bdi>}
      badges={<Badge>{ROLE_NAMES[organisation.role]}</Badge>}
      facts={[<code key="handle">{organisation.handle}</code>, countOf(organisation.members, 'member')]}
      actions={<MembersDialog organisation={organisation} person={person} onChanged={onChanged} />}
    />
  )
}
