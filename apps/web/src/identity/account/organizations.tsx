import type { Organization, Person } from '@patchbay/contracts/identity'
import { Building2 } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { Entries, Entry } from '../../parts/entries.tsx'
import { Section } from '../../parts/section.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { fetchOrganizations } from './account.api.ts'
import { CreateOrganization } from './create-organization.tsx'
import { MembersDialog } from './members-dialog.tsx'
import { words } from './words.tsx'

export function Organizations({ person }: { person: Person }) {
  const { answer, reload } = useLoaded(fetchOrganizations)
  return (
    <Section
      id="organizations"
      title={words.organizations.heading}
      lead={words.organizations.lead}
      action={<CreateOrganization onCreated={reload} />}
    >
      <Entries
        label={words.organizations.list}
        answer={answer}
        reload={reload}
        empty={words.organizations.none}
        keyOf={({ handle }) => handle}
      >
        {(organization) => (
          <OrganizationEntry organization={organization} person={person} onChanged={reload} />
        )}
      </Entries>
    </Section>
  )
}

interface OrganizationEntryProps {
  organization: Organization
  person: Person
  onChanged: () => void
}

function OrganizationEntry({ organization, person, onChanged }: OrganizationEntryProps) {
  return (
    <Entry
      icon={<Building2 aria-hidden />}
      title={<bdi>{organization.display_name}</bdi>}
      badges={<Badge>{words.roles[organization.role]}</Badge>}
      facts={[
        <code key="handle">{organization.handle}</code>,
        words.organizations.members(organization.members),
      ]}
      actions={<MembersDialog organization={organization} person={person} onChanged={onChanged} />}
    />
  )
}
