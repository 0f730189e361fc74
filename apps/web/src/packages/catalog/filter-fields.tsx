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

/** An option must have an id of its own; an empty one cannot be chosen. */
const ANY = 'any'

const TYPES = [
  { id: ANY, label: 'Any type' },
  ...REGISTRY_PACKAGE_TYPES.map((id) => ({ id, label: TYPE_NAMES[id] })),
]
const PLATFORMS = [
  { id: ANY, label: 'Any platform' },
  ...REGISTRY_PLATFORMS.map((id) => ({ id, label: PLATFORM_NAMES[id] })),
]
const RUNTIMES = [
  { id: ANY, label: 'Any runtime' },
  ...REGISTRY_RUNTIMES.map((id) => ({ id, label: RUNTIME_NAMES[id] })),
]
const STATUSES = [
  { id: ANY, label: 'Any status' },
  ...REGISTRY_STATUSES.map((id) => ({ id, label: STATUS_NAMES[id] })),
]

interface FilterFieldsProps {
  query: SearchQuery
  set: (name: FilterName, value: string) => void
}

export function FilterFields({ query, set }: FilterFieldsProps) {
  const words = useTypedFilter('q', () => true)
  const toolVersion = useTypedFilter('tool_version', isToolVersion)
  const choose = (name: FilterName) => (id: unknown) => set(name, id === ANY ? '' : String(id))
  return (
    <search aria-label="Packages" className={styles.fields}>
      <TextField
        label="Search"
        type="search"
        size="lg"
        placeholder="Name, tag, author, or what it does"
        maxLength={200}
        value={words.text}
        onChange={words.type}
        autoComplete="off"
      />
      <div className={styles.filters}>
        <Select label="Type" options={TYPES} value={query.type ?? ANY} onChange={choose('type')} />
        <Select
          label="Platform"
          options={PLATFORMS}
          value={query.platform ?? ANY}
          onChange={choose('platform')}
        />
        <TextField
          label="Tool version"
          placeholder="Any, for example 9.0"
          value={toolVersion.text}
          onChange={toolVersion.type}
          autoComplete="off"
          inputMode="decimal"
          errorMessage={
            toolVersion.isRefused ? 'One to three numbers with dots between them, such as 9.0.2.' : undefined
          }
        />
        <Select
          label="Runtime"
          options={RUNTIMES}
          value={query.runtime ?? ANY}
          onChange={choose('runtime')}
        />
        <Select label="Status" options={STATUSES} value={query.status ?? ANY} onChange={choose('status')} />
      </div>
      <Narrowing name="tag" label="Tag" value={query.tag} set={set} />
      <Narrowing name="owner" label="Publisher" value={query.owner} set={set} />
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
        aria-label={`Remove the filter ${label}: ${value}`}
        onPress={() => set(name, '')}
      >
        {label}: {value}
      </Button>
    </div>
  )
}
