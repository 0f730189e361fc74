import { SCOPE_AREAS, type ScopeArea, scope } from '@patchbay/contracts/identity'
import { Plus, X } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Select } from '../../components/select.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textRule } from '../../server/text-rule.ts'
import styles from './scope-fields.module.css'
import { words } from './words.tsx'

export interface ScopeDraft {
  /** Tells rows apart while they are edited. */
  readonly id: number
  readonly area: ScopeArea
  readonly target: string
}

const isScope = textRule(scope)
const MOST = 50
const AREAS = SCOPE_AREAS.toSorted((a, b) =>
  words.scopes.areas[a].may.localeCompare(words.scopes.areas[b].may),
).map((area) => ({ id: area, label: words.scopes.areas[area].may }))

interface ScopeFieldsProps {
  /** Whom the examples name. */
  owner: string
  drafts: readonly ScopeDraft[]
  onChange: (drafts: ScopeDraft[]) => void
}

/** What a key is good for: an area, an owner, and one repository of theirs or all. */
export function ScopeFields({ owner, drafts, onChange }: ScopeFieldsProps) {
  const replace = (draft: ScopeDraft) =>
    onChange(drafts.map((other) => (other.id === draft.id ? draft : other)))
  const add = () => {
    const last = drafts.at(-1)
    if (last !== undefined) onChange([...drafts, { ...last, id: last.id + 1 }])
  }
  return (
    <fieldset className={styles.scopes}>
      <legend className={styles.legend}>{words.scopes.legend}</legend>
      {drafts.map((draft) => (
        <div key={draft.id} className={styles.row}>
          <div className={styles.area}>
            <Select
              label={words.scopes.area}
              options={AREAS}
              value={draft.area}
              onChange={(area) => replace({ ...draft, area: area as ScopeArea })}
            />
          </div>
          <TextField
            label={words.scopes.areas[draft.area].target}
            description={words.scopes.areas[draft.area].help(owner)}
            errorMessage={
              isScope(`${draft.area}:${draft.target.trim()}`) ? undefined : words.scopes.malformed(owner)
            }
            value={draft.target}
            onChange={(target) => replace({ ...draft, target })}
            isMono
            isRequired
          />
          {drafts.length > 1 && (
            <IconButton
              label={words.scopes.remove(`${draft.area}:${draft.target}`)}
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
        {words.scopes.add}
      </Button>
    </fieldset>
  )
}
