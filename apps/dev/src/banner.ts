export interface Whereabouts {
  /** Of the pages and of the HTTP interface. */
  readonly url: string
  readonly issuer: string
  readonly database: string
  readonly bus: string
  /** Makes the first administrator; none is needed when there is one. */
  readonly adminLink: string | undefined
  /** The port that was wanted, when somebody else had it. */
  readonly moved: number | undefined
}

/** What a person needs to know once everything runs: the address to open comes first. */
export function banner({ url, issuer, database, bus, adminLink, moved }: Whereabouts): string {
  const rows = [
    ['Address', `${url}${moved === undefined ? '' : `  (port ${moved} is taken)`}`],
    ['HTTP reference', `${url}/reference`],
    ['Sign-in (dev)', issuer],
    ['PostgreSQL', database],
    ['Bus', bus],
  ]
  const lines = rows.map(([label = '', value = '']) => `  ${label.padEnd(16)}${value}`)
  const first =
    adminLink === undefined
      ? ''
      : `  There is no administrator yet. Whoever opens this becomes one; it works once, for an hour:\n\n  ${adminLink}\n\n`
  return `\n  Patchbay is up. Open ${url}\n\n${lines.join('\n')}\n\n${first}  Commands of a second terminal begin with: pnpm --silent patchbay login --server ${url}\n\n  Ctrl-C stops everything.\n`
}
