import type { SplitDirection } from '@patchbay/client/workspaces'
import { Option } from 'commander'

export const WORKSPACE_MEANING = 'its owner and repository, such as ada/board'
export const TAB_MEANING = 'its id, title or kind'

// The values of the contract, without loading what describes the whole wire.
const DIRECTIONS: readonly SplitDirection[] = ['left', 'right', 'up', 'down']

export function directionOption(meaning: string): Option {
  return new Option('--split <direction>', meaning).choices(DIRECTIONS)
}

export function reasonOption(): Option {
  return new Option('--reason <text>', 'why, for the person who watches')
}
