export interface Whereabouts {
  readonly web: string
  readonly server: string
  readonly issuer: string
  readonly database: string
  readonly bus: string
  /** Makes the first administrator; none is needed when there is one. */
  readonly adminLink: string | undefined
  /** The default port, when somebody else had it. */
  readonly moved: number | undefined
}

/** What a person needs to know once everything runs: the address to open comes first. */
export function banner({ web, server, issuer, database, bus, adminLink, moved }: Whereabouts): string {
  const rows = [
    ['Web app', web],
    ['Server', `${server}${moved === undefined ? '' : `  (port ${moved} is taken)`}`],
    ['HTTP reference', `${server}/reference`],
    ['Sign-in (dev)', issuer],
    ['PostgreSQL', database],
    ['Bus', bus],
  ]
  const lines = rows.map(([label = '', value = '']) => `  ${label.padEnd(16)}${value}`)
  const first =
    adminLink === undefined
      ? ''
      : `  There is no administrator yet. Whoever opens this becomes one; it works once, for an hour:\n\n  ${adminLink}\n\n`
  return `\n  Patchbay is up. Open ${web}\n\n${lines.join('\n')}\n\n${first}  Ctrl-C stops everything.\n`
}
