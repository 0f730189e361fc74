export interface Whereabouts {
  readonly web: string
  readonly server: string
  readonly issuer: string
  readonly database: string
  readonly bus: string
  /** The default port, when somebody else had it. */
  readonly moved: number | undefined
}

/** What a person needs to know once everything runs: the address to open comes first. */
export function banner({ web, server, issuer, database, bus, moved }: Whereabouts): string {
  const rows = [
    ['Web app', web],
    ['Server', `${server}${moved === undefined ? '' : `  (port ${moved} is taken)`}`],
    ['HTTP reference', `${server}/reference`],
    ['Sign-in (dev)', issuer],
    ['PostgreSQL', database],
    ['Bus', bus],
  ]
  const lines = rows.map(([label = '', value = '']) => `  ${label.padEnd(16)}${value}`)
  return `\n  Patchbay is up. Open ${web}\n\n${lines.join('\n')}\n\n  Ctrl-C stops everything.\n`
}
