import { COURSE_LIMITS, SHARING_LIMITS } from '@patchbay/contracts/limits'
import type { RetentionOf } from '@patchbay/kernel/postgres'
import { LAYOUT_LIMITS } from '@patchbay/workspace-layout'
import { ACTIONS_KEPT } from './access/action.ts'
import type { PanelsTables } from './tables.ts'

const ACTIONS_SETTING = 'PATCHBAY_ACTIONS_RETENTION_DAYS'

// What people made is bounded by its number and size: no age makes it worthless, so none of it goes by itself.
export const panelsRetention: RetentionOf<PanelsTables> = {
  workspaces: {
    bound: `1,000 for each owner, each with ${LAYOUT_LIMITS.tabs} tabs at most; in the trash for 30 days`,
  },
  workspace_members: { bound: `${SHARING_LIMITS.members} for each workspace` },
  workspace_invitations: {
    keptFor: `until they are used up or expire; ${SHARING_LIMITS.invitations} for each workspace`,
  },
  panel_states: {
    bound:
      'one row for each tab, 384 KiB at most; more than 16 KiB at once is refused beyond 8 MiB in a workspace, or 1 GiB as stored with an owner',
  },
  closed_tabs: { keptFor: '30 days; the last 50 of each workspace, 8 MiB at most' },
  panel_actions: {
    keptFor: `as many days as are set; the latest ${ACTIONS_KEPT} of each workspace`,
    setting: ACTIONS_SETTING,
  },
  workspace_actors: {
    keptFor:
      'as many days after their last action as are set; one whose access was ended, also as long as its credential exists',
    setting: ACTIONS_SETTING,
  },
  sandbox_evals: { keptFor: '10 minutes after their outcome; 5,000 of each owner may wait' },
  captures: { keptFor: '1 day, with their pictures' },
  proxy_tickets: { keptFor: 'until they expire' },
  course_progress: {
    bound: `${COURSE_LIMITS.courses} for each person in a workspace, each with ${COURSE_LIMITS.marks} marks; goes with the workspace`,
  },
  catalog_panels: { bound: '200 for each owner' },
}
