import { SCOPE_AREAS, scope, type ScopeArea } from '@patchbay/contracts'
import { Plus, X } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Select } from '../../components/select.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textRule } from '../../server/text-rule.ts'
import styles from './scope-fields.module.css'

export interface ScopeDraft {
  /** Tells rows apart while they are edited. */
  readonly id: number
  readonly area: ScopeArea
  readonly target: string
}

const isScope = textRule(scope)
const MOST = 50
const AREAS = SCOPE_AREAS.map((area) => ({ id: area, label: area === 'panels' ? 'Panels' : 'Packages' }))

interface ScopeFieldsProps {
  drafts: readonly ScopeDraft[]
  onChange: (drafts: ScopeDraft[]) => void
}

/** What a key is good for: an area, an owner, and one repository of theirs or all. */
export function ScopeFields({ drafts, onChange }: ScopeFieldsProps) {
  const replace = (draft: ScopeDraft) =>
    onChange(drafts.map((other) => (other.id === draft.id ? draft : other)))
  const add = () => {
    const last = drafts.at(-1)
    if (last !== undefined) onChange([...drafts, { ...last, id: last.id + 1 }])
  }
  return (
    <fieldset className={styles.scopes}>
      <legend className={styles.legend}>Scopes</legend>
      {drafts.map((draft) => (
        <div key={draft.id} className={styles.row}>
          <div className={styles.area}>
            <Select
              label="Area"
              options={AREAS}
              value={draft.area}
              onChange={(area) => replace({ ...draft, area: area as ScopeArea })}
            />
          </div>
          <TextField
            label="Owner and repository"
            description="Or a star for all repositories of the owner."
            errorMessage={
              isScope(`${draft.area}:${draft.target.trim()}`)
                ? undefined
                : 'Write it as owner/repository, or owner/*.'
            }
            value={draft.target}
            onChange={(target) => replace({ ...draft, target })}
            isMono
            isRequired
          />
          {drafts.length > 1 && (
            <IconButton
              label={`Remove the scope ${draft.area}:${draft.target}`}
              onPress={() => onChange(drafts.filter(({ id }) => id !== draft.id))}
            >
              <X aria-hidden />
            </IconButton>
          )}
        </div>
      ))}
      <Button
        size="sm"
        variant="ghost"
        icon={<Plus aria-hidden />}
        isDisabled={drafts.length >= MOST}
        onPress={add}
      >
        Add a scope
      </Button>
    </fieldset>
  )
}
