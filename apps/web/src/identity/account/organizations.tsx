import type { Organization, Person } from '@patchbay/contracts/identity'
import { Building2 } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { Entries, Entry } from '../../parts/entries.tsx'
import { Section } from '../../parts/section.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { countOf } from '../../time/words.ts'
import { fetchOrganizations } from './account.api.ts'
import { CreateOrganization } from './create-organization.tsx'
import { MembersDialog } from './members-dialog.tsx'
import { ROLE_NAMES } from './roles.ts'

export function Organizations({ person }: { person: Person }) {
  const { answer, reload } = useLoaded(fetchOrganizations)
  return (
    <Section
      id="organizations"
      title="Organizations"
      lead="They own workspaces and packages, so that these do not depend on one person."
      action={<CreateOrganization onCreated={reload} />}
    >
      <Entries
        label="Your organizations"
        answer={answer}
        reload={reload}
        empty="You’re not in any organization yet."
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
      badges={<Badge>{ROLE_NAMES[organization.role]}</Badge>}
      facts={[<code key="handle">{organization.handle}</code>, countOf(organization.members, 'member')]}
      actions={<MembersDialog organization={organization} person={person} onChanged={onChanged} />}
    />
  )
}
