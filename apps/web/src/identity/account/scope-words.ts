import type { ScopeArea } from '@patchbay/contracts/identity'

interface ScopeWords {
  /** What a key with it may do. */
  readonly may: string
  /** Names the field. */
  readonly target: string
  readonly help: (owner: string) => string
  readonly all: (owner: string) => string
  readonly one: (owner: string, name: string) => string
}

export const SCOPE_WORDS: Readonly<Record<ScopeArea, ScopeWords>> = {
  packages: {
    may: 'Packages: publish and read',
    target: 'Owner and package',
    help: (owner) =>
      `${owner}/* stands for every package of ${owner}, ${owner}/com.example.blinky for a single one.`,
    all: (owner) => `All packages of ${owner}`,
    one: (owner, name) => `The package ${name} of ${owner}`,
  },
  panels: {
    may: 'Panels: all of it',
    target: 'Owner and repository',
    help: (owner) =>
      `${owner}/* stands for the panels of every repository of ${owner}, ${owner}/board for those of a single one.`,
    all: (owner) => `All panels of ${owner}`,
    one: (owner, name) => `Panels of ${owner}/${name}`,
  },
  workspace: panelWords('Panels: layout', 'Layout'),
  webview: panelWords('Panels: web views', 'Web views'),
  sandbox: panelWords('Panels: sandboxes', 'Sandboxes'),
  screenshot: panelWords('Panels: screenshots', 'Screenshots'),
}

/** For one part of panel control. */
function panelWords(may: string, what: string): ScopeWords {
  return {
    may,
    target: 'Owner and repository',
    help: (owner) => `${owner}/* stands for every workspace of ${owner}, ${owner}/board for a single one.`,
    all: (owner) => `${what} of all workspaces of ${owner}`,
    one: (owner, name) => `${what} of ${owner}/${name}`,
  }
}

/** What a scope lets a key do, such as “All packages of ada”. */
export function scopeInWords(scope: string): string {
  const [area = '', target = ''] = scope.split(':')
  const [owner = '', name = ''] = target.split('/')
  // A server that is newer than this page may know more areas.
  const words = Object.hasOwn(SCOPE_WORDS, area) ? SCOPE_WORDS[area as ScopeArea] : undefined
  if (words === undefined) return scope
  return name === '*' ? words.all(owner) : words.one(owner, name)
}
