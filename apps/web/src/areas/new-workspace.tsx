import { putWorkspace, repoName, WORKSPACE_TEMPLATES } from '@patchbay/contracts/panels'
import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Select } from '../components/select.tsx'
import { TextField } from '../components/text-field.tsx'
import { FailureNotice } from '../server/failure-notice.tsx'
import { textRule } from '../server/text-rule.ts'
import { useAction } from '../server/use-action.ts'
import { useSession } from '../session/session-context.tsx'
import styles from './new-workspace.module.css'
import { words } from './words.tsx'

const isRepo = textRule(repoName)
const EMPTY = 'empty'

/** Makes a workspace and opens it. One that is there already is opened. */
export function NewWorkspace({ owners }: { owners: readonly string[] }) {
  const { change } = useSession()
  const [owner, setOwner] = useState(owners[0] ?? '')
  const [repo, setRepo] = useState('')
  const [chosen, setChosen] = useState<string>(EMPTY)
  const template = WORKSPACE_TEMPLATES.find(({ id }) => id === chosen)
  const [isTold, setIsTold] = useState(false)
  const making = useAction(async () => {
    const body = template === undefined ? {} : { template: template.id }
    await change(putWorkspace, { params: { owner, repo }, body })
    location.assign(`/workspaces/${owner}/${repo}`)
  })
  const make = (event: FormEvent) => {
    event.preventDefault()
    if (isRepo(repo)) making.run()
    else setIsTold(true)
  }
  const isWrong = isTold && !isRepo(repo)
  return (
    <form aria-label={words.new.label} onSubmit={make} className={styles.form}>
      {owners.length > 1 && (
        <Select
          label={words.new.owner}
          options={owners.map((id) => ({ id, label: id }))}
          value={owner}
          onChange={(key) => setOwner(String(key))}
        />
      )}
      <TextField
        label={words.new.repository}
        description={words.new.opensAt(`/workspaces/${owner}/${repo === '' ? '…' : repo}`)}
        value={repo}
        onChange={setRepo}
        isMono
        autoComplete="off"
        {...(isWrong ? { errorMessage: words.new.wrongName } : {})}
      />
      <Select
        label={words.new.template}
        description={template?.description ?? words.new.emptyLead}
        options={[
          { id: EMPTY, label: words.new.empty },
          ...WORKSPACE_TEMPLATES.map(({ id, name }) => ({ id, label: name })),
        ]}
        value={chosen}
        onChange={(key) => setChosen(String(key))}
      />
      <Button variant="primary" type="submit" icon={<Plus aria-hidden />} isPending={making.isPending}>
        {words.new.create}
      </Button>
      <FailureNotice error={making.error} />
    </form>
  )
}
