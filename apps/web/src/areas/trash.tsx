import {
  deleteTrashedWorkspace,
  postRestoreWorkspace,
  repoName,
  type TrashedWorkspace,
} from '@patchbay/contracts/panels'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { TextField } from '../components/text-field.tsx'
import { notify } from '../components/toast.tsx'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { Entries, Entry } from '../parts/entries.tsx'
import { Section } from '../parts/section.tsx'
import { FailureNotice } from '../server/failure-notice.tsx'
import { textRule } from '../server/text-rule.ts'
import { useSession } from '../session/session-context.tsx'
import type { List } from '../session/use-list.ts'
import { When } from '../time/when.tsx'
import { words } from './words.tsx'

const isRepo = textRule(repoName)

interface TrashProps {
  owner: string
  list: List<TrashedWorkspace>
  onChanged: () => void
}

/** Deleted workspaces of an owner that can still be restored. Nothing where there are none. */
export function Trash({ owner, list, onChanged }: TrashProps) {
  const { answer, reload, more } = list
  if (answer.state === 'loading' || (answer.state === 'loaded' && answer.value.items.length === 0))
    return null
  return (
    <Section id={`trash-${owner}`} title={words.trash.title(owner)} lead={words.trash.lead}>
      <Entries
        label={words.trash.title(owner)}
        answer={answer}
        reload={reload}
        empty={words.trash.none}
        keyOf={({ id }) => id}
      >
        {(trashed) => <TrashedEntry trashed={trashed} onChanged={onChanged} />}
      </Entries>
      {more !== undefined && (
        <>
          <Button isPending={more.isPending} onPress={() => more.run()}>
            {words.list.showMore}
          </Button>
          <FailureNotice error={more.error} />
        </>
      )}
    </Section>
  )
}

function TrashedEntry({ trashed, onChanged }: { trashed: TrashedWorkspace; onChanged: () => void }) {
  const { change } = useSession()
  const { id, owner, tabs, deletedAt, goneAt } = trashed
  const [repo, setRepo] = useState(trashed.repo)
  const name = `${owner}/${trashed.repo}`
  const restore = async () => {
    await change(postRestoreWorkspace, { params: { owner, id }, body: { repo } })
    notify({ title: words.trash.restore.done(`${owner}/${repo}`) })
    onChanged()
  }
  const purge = async () => {
    await change(deleteTrashedWorkspace, { params: { owner, id } })
    notify({ title: words.trash.purge.done(name) })
    onChanged()
  }
  return (
    <Entry
      icon={<Trash2 aria-hidden />}
      title={<bdi>{name}</bdi>}
      facts={[
        tabs === 0 ? words.list.empty : words.list.panels(tabs),
        <span key="deleted">{words.trash.deleted(<When at={deletedAt} />)}</span>,
        <span key="gone">{words.trash.gone(<When at={goneAt} />)}</span>,
      ]}
      actions={
        <>
          <ConfirmButton
            label={words.trash.restore.label}
            fullLabel={words.trash.restore.fullLabel(name)}
            question={words.trash.restore.question}
            confirmLabel={words.trash.restore.label}
            confirmVariant="primary"
            cancelLabel={words.trash.restore.cancel}
            isDisabled={!isRepo(repo)}
            field={
              <TextField
                label={words.new.repository}
                value={repo}
                onChange={setRepo}
                isMono
                autoComplete="off"
              />
            }
            confirm={restore}
          >
            {words.trash.restore.text}
          </ConfirmButton>
          <ConfirmButton
            label={words.trash.purge.label}
            fullLabel={words.trash.purge.fullLabel(name)}
            question={words.trash.purge.question(name)}
            confirmLabel={words.trash.purge.label}
            confirm={purge}
          >
            {words.trash.purge.text}
          </ConfirmButton>
        </>
      }
    />
  )
}
