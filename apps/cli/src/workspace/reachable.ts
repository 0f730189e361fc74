import type { CurrentTab, CurrentWorkspace } from '@patchbay/client/workspaces'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { AskedWorkspace } from './open-workspaces.ts'

/** A panel that can be acted on: of the right kind, and in front of its leaf. The server says the same, in fewer words. */
export function requireReachable(
  { tabs }: Pick<CurrentWorkspace, 'tabs'>,
  tab: CurrentTab,
  kinds: readonly string[],
  { name, advise }: Pick<AskedWorkspace, 'name' | 'advise'>,
): CurrentTab {
  requireKind(tab, kinds, { name, advise })
  if (tab.isActive) return tab
  const front = tabs.find(({ panelId, isActive }) => panelId === tab.panelId && isActive)
  const behind = front === undefined ? 'another tab' : stripHidden(front.displayName)
  throw new Refusal(
    EXIT.failed,
    'panel_mismatch',
    `${stripHidden(tab.displayName)} stands behind ${behind}, and only what is in front can be acted on.\nBring it there with ${advise(`workspace activate ${name} ${tab.tabId}`)}.`,
  )
}

export function requireKind(
  { kind, displayName }: CurrentTab,
  kinds: readonly string[],
  { name, advise }: Pick<AskedWorkspace, 'name' | 'advise'>,
): void {
  if (kinds.includes(kind)) return
  throw new Refusal(
    EXIT.failed,
    'panel_mismatch',
    `${stripHidden(displayName)} is a panel of the kind ${kind}, and this is for ${kinds.join(' and ')}.\nSee ${advise(`workspace show ${name}`)}.`,
  )
}
