import { HANDLE_PATTERN } from '@patchbay/contracts/core'
import {
  REGISTRY_PACKAGE_TYPES,
  REGISTRY_PLATFORMS,
  REGISTRY_RUNTIMES,
  REGISTRY_STATUSES,
  type SearchQuery,
} from '@patchbay/contracts/registry'
import { TAG_PATTERN, TOOL_VERSION_PATTERN } from '@patchbay/package-format'

export type FilterName = Exclude<keyof SearchQuery, 'cursor' | 'limit'>

const LONGEST_WORDS = 200
const TOOL_VERSION = new RegExp(TOOL_VERSION_PATTERN, 'u')
const TAG = new RegExp(TAG_PATTERN, 'u')
const HANDLE = new RegExp(HANDLE_PATTERN, 'u')

export function isToolVersion(text: string): boolean {
  return TOOL_VERSION.test(text)
}

/** What an address asks for. Anything in it that the server would refuse is left out. */
export function readQuery(params: URLSearchParams): SearchQuery {
  const text = (name: FilterName, isGood: (value: string) => boolean) => {
    const value = params.get(name)?.trim() ?? ''
    return value !== '' && isGood(value) ? { [name]: value } : {}
  }
  const oneOf = (values: readonly string[]) => (value: string) => values.includes(value)
  return {
    ...text('q', (value) => value.length <= LONGEST_WORDS),
    ...text('type', oneOf(REGISTRY_PACKAGE_TYPES)),
    ...text('platform', oneOf(REGISTRY_PLATFORMS)),
    ...text('runtime', oneOf(REGISTRY_RUNTIMES)),
    ...text('tool_version', isToolVersion),
    ...text('status', oneOf(REGISTRY_STATUSES)),
    ...text('tag', (value) => TAG.test(value)),
    ...text('owner', (value) => HANDLE.test(value)),
  }
}

/** The same address with another value for a filter; an empty one takes it out. */
export function withFilter(params: URLSearchParams, name: FilterName, value: string): URLSearchParams {
  const next = new URLSearchParams(params)
  if (value === '') next.delete(name)
  else next.set(name, value)
  return next
}
