import { chooseTheme } from '../../theme/theme.ts'
import { words as themes } from '../../theme/words.ts'
import { words as deviceWords } from '../device-manager/words.ts'
import { isPast, LOOK_BACK_MS } from '../replay.ts'
import { tabActions } from '../tab/tab-actions.ts'
import { words as replayWords } from '../time-bar/words.ts'
import { words } from '../words.tsx'
import type { WorkspaceSession } from '../workspace-session.ts'
import { selectedLine } from './shortcut.ts'

export interface CommandContext {
  readonly session: WorkspaceSession
  /** The tab that it is about: the one whose menu is open or that has the focus, else the one used last. */
  readonly tabId: string | undefined
}

/** What a person can have done in a workspace: in the palette, with a shortcut, from a menu. */
export interface Command {
  readonly id: string
  readonly label: string
  /** Other words that people look for it by. */
  readonly also?: string
  /** Those of one group stand together. Groups from `rename` to `close` are those of a tab's menu. */
  readonly group: 'workspace' | 'theme' | 'rename' | 'order' | 'split' | 'place' | 'size' | 'close'
  readonly keys?: string
  /** Where its keys work: outside of text fields unless told. */
  readonly keysIn?: 'everywhere' | 'tab'
  /** Whether it is only for those who may change the workspace. */
  readonly changes?: boolean
  readonly run: (context: CommandContext) => void
}

const go = (address: string) => () => location.assign(address)

/** Of the workspace as a whole. */
const GENERAL: readonly Command[] = [
  {
    id: 'palette',
    label: words.palette.open,
    group: 'workspace',
    keys: 'Mod+K',
    keysIn: 'everywhere',
    run: ({ session }) => session.overlay.set({ type: 'palette' }),
  },
  {
    id: 'find',
    label: words.palette.find,
    also: words.palette.also.find,
    group: 'workspace',
    keys: 'Mod+Shift+F',
    keysIn: 'everywhere',
    run: ({ session }) => session.overlay.set({ type: 'find', ...selectedLine() }),
  },
  {
    id: 'add',
    label: words.nav.add,
    also: words.palette.also.add,
    group: 'workspace',
    changes: true,
    run: ({ session }) => session.overlay.set({ type: 'picker' }),
  },
  {
    id: 'agents',
    label: words.nav.agents,
    also: words.palette.also.agents,
    group: 'workspace',
    run: ({ session }) => session.overlay.set({ type: 'agents' }),
  },
  {
    id: 'devices',
    label: deviceWords.open,
    also: deviceWords.also,
    group: 'workspace',
    run: ({ session }) => session.overlay.set({ type: 'devices' }),
  },
  {
    id: 'replay',
    label: replayWords.open,
    also: replayWords.also,
    group: 'workspace',
    run({ session: { host } }) {
      if (isPast(host.replay)) host.replay.goLive()
      else host.replay.seek(Date.now() - LOOK_BACK_MS)
    },
  },
  {
    id: 'undo',
    label: words.history.undo,
    group: 'workspace',
    keys: 'Mod+Z',
    changes: true,
    run: ({ session }) => void session.history.undo(),
  },
  {
    id: 'redo',
    label: words.history.redo,
    group: 'workspace',
    keys: 'Mod+Shift+Z',
    changes: true,
    run: ({ session }) => void session.history.redo(),
  },
  {
    id: 'shortcuts',
    label: words.shortcuts.title,
    also: words.palette.also.shortcuts,
    group: 'workspace',
    keys: '?',
    run: ({ session }) => session.overlay.set({ type: 'shortcuts' }),
  },
  {
    id: 'workspaces',
    label: words.closed.all,
    also: words.palette.also.workspaces,
    group: 'workspace',
    run: go('/workspaces'),
  },
  { id: 'account', label: words.palette.account, group: 'workspace', run: go('/account') },
  ...(['light', 'dark', 'system'] as const).map(
    (theme): Command => ({
      id: `theme ${theme}`,
      label: themes.current(themes[theme]),
      also: words.palette.also.theme,
      group: 'theme',
      run: () => chooseTheme(theme),
    }),
  ),
]

/** Of one tab, besides what depends on where it stands. */
const OF_A_TAB: readonly Command[] = [
  {
    id: 'rename',
    label: words.tab.rename,
    group: 'rename',
    keys: 'F2',
    keysIn: 'tab',
    changes: true,
    run({ session, tabId }) {
      if (tabId !== undefined) session.overlay.set({ type: 'rename', tabId })
    },
  },
  {
    id: 'reopen',
    label: words.tab.reopen,
    group: 'close',
    // As in browsers: in a window of its own the page gets it, in a browser's tab the browser keeps it.
    keys: 'Mod+Shift+T',
    keysIn: 'everywhere',
    changes: true,
    run: ({ session }) => void session.closing.reopen(),
  },
  {
    id: 'close',
    label: words.tab.close,
    group: 'close',
    keys: 'Delete',
    keysIn: 'tab',
    changes: true,
    run({ session, tabId }) {
      if (tabId !== undefined) session.closing.close(tabId)
    },
  },
]

const COMMANDS: readonly Command[] = [...GENERAL, ...OF_A_TAB]

/** All that have a shortcut, for those who may change the workspace or only look. */
export function commandsWithKeys(mayChange: boolean): (Command & { readonly keys: string })[] {
  return COMMANDS.filter(
    (command): command is Command & { readonly keys: string } => command.keys !== undefined,
  ).filter(({ changes }) => changes !== true || mayChange)
}

/** What the menu of a tab offers, in its order. */
export function tabCommands({ session, tabId }: CommandContext): Command[] {
  const { layout, mayChange } = session.store.getSnapshot()
  if (tabId === undefined || !mayChange) return []
  const moves = tabActions(layout, tabId, session.newId).map(
    ({ id, label, group, change }): Command => ({
      id,
      label,
      group,
      changes: true,
      run() {
        const refused = session.store.change(change)
        if (refused !== undefined) session.refuse(refused)
      },
    }),
  )
  return [
    ...OF_A_TAB.filter(({ group }) => group === 'rename'),
    ...moves,
    ...OF_A_TAB.filter(({ group }) => group === 'close'),
  ]
}

/** Everything that can be done now. */
export function availableCommands(context: CommandContext): Command[] {
  const { mayChange } = context.session.store.getSnapshot()
  const general = GENERAL.filter(({ id, changes }) => id !== 'palette' && (changes !== true || mayChange))
  const reopen = OF_A_TAB.filter(({ id }) => id === 'reopen' && mayChange)
  return [...general, ...(context.tabId === undefined ? reopen : tabCommands(context))]
}
