import {
  REGISTRY_PACKAGE_TYPES,
  REGISTRY_PLATFORMS,
  REGISTRY_RUNTIMES,
  REGISTRY_STATUSES,
  type SearchQuery,
} from '@patchbay/contracts/registry'
import { X } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Select } from '../../components/select.tsx'
import { TextField } from '../../components/text-field.tsx'
import { PLATFORM_NAMES, RUNTIME_NAMES, STATUS_NAMES, TYPE_NAMES } from '../words.ts'
import { type FilterName, isToolVersion } from './catalog-query.ts'
import styles from './filter-fields.module.css'
import { useTypedFilter } from './use-typed-filter.ts'
import { words } from './words.tsx'

/** An option must have an id of its own; an empty one cannot be chosen. */
const ANY = 'any'

const TYPES = [
  { id: ANY, label: words.filters.type.any },
  ...REGISTRY_PACKAGE_TYPES.map((id) => ({ id, label: TYPE_NAMES[id] })),
]
const PLATFORMS = [
  { id: ANY, label: words.filters.platform.any },
  ...REGISTRY_PLATFORMS.map((id) => ({ id, label: PLATFORM_NAMES[id] })),
]
const RUNTIMES = [
  { id: ANY, label: words.filters.runtime.any },
  ...REGISTRY_RUNTIMES.map((id) => ({ id, label: RUNTIME_NAMES[id] })),
]
const STATUSES = [
  { id: ANY, label: words.filters.status.any },
  ...REGISTRY_STATUSES.map((id) => ({ id, label: STATUS_NAMES[id] })),
]

interface FilterFieldsProps {
  query: SearchQuery
  set: (name: FilterName, value: string) => void
}

export function FilterFields({ query, set }: FilterFieldsProps) {
  const phrase = useTypedFilter('q', () => true)
  const toolVersion = useTypedFilter('tool_version', isToolVersion)
  const choose = (name: FilterName) => (id: unknown) => set(name, id === ANY ? '' : String(id))
  return (
    <search aria-label={words.filters.label} className={styles.fields}>
      <TextField
        label={words.filters.search.label}
        type="search"
        size="lg"
        placeholder={words.filters.search.placeholder}
        maxLength={200}
        value={phrase.text}
        onChange={phrase.type}
        autoComplete="off"
      />
      <div className={styles.filters}>
        <Select
          label={words.filters.type.label}
          options={TYPES}
          value={query.type ?? ANY}
          onChange={choose('type')}
        />
        <Select
          label={words.filters.platform.label}
          options={PLATFORMS}
          value={query.platform ?? ANY}
          onChange={choose('platform')}
        />
        <TextField
          label={words.filters.toolVersion.label}
          placeholder={words.filters.toolVersion.placeholder}
          value={toolVersion.text}
          onChange={toolVersion.type}
          autoComplete="off"
          inputMode="decimal"
          errorMessage={toolVersion.isRefused ? words.filters.toolVersion.fault : undefined}
        />
        <Select
          label={words.filters.runtime.label}
          options={RUNTIMES}
          value={query.runtime ?? ANY}
          onChange={choose('runtime')}
        />
        <Select
          label={words.filters.status.label}
          options={STATUSES}
          value={query.status ?? ANY}
          onChange={choose('status')}
        />
      </div>
      <Narrowing name="tag" label={words.filters.tag} value={query.tag} set={set} />
      <Narrowing name="owner" label={words.filters.publisher} value={query.owner} set={set} />
    </search>
  )
}

interface NarrowingProps {
  name: FilterName
  label: string
  value: string | undefined
  set: (name: FilterName, value: string) => void
}

/** A filter that a link brought along: there is no field for it, but a way out of it. */
function Narrowing({ name, label, value, set }: NarrowingProps) {
  if (value === undefined) return null
  return (
    <div>
      <Button
        size="sm"
        icon={<X aria-hidden />}
        aria-label={words.filters.remove(label, value)}
        onPress={() => set(name, '')}
      >
        {words.filters.narrowing(label, value)}
      </Button>
    </div>
  )
}
