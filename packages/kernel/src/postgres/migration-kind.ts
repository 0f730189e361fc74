/**
 * `expand` only adds, so that nodes of an older version go on working and can start. `contract` takes away or changes
 * something: older versions do not start on what it leaves.
 */
export type MigrationKind = 'expand' | 'contract'

/** What the first line says. A file without such a line promises nothing. */
export function kindOf(sql: string): MigrationKind {
  return sql.split('\n', 1)[0]?.trim() === '-- expand' ? 'expand' : 'contract'
}

/** One by one, without comments and texts, in small letters. Bodies of functions are texts. */
export function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$/g, ' ')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((statement) => statement !== '')
}

/** One that is made if it is not there may be there. */
const CREATE_TABLE = /^create table (?!if )([\w."]+)/
const CREATE_INDEX = /^create (unique )?index (if not exists )?(?:[\w."]+ )?on (?:only )?([\w."]+)/
const ALTER_TABLE = /^alter table (?:if exists )?(?:only )?([\w."]+) (.*)$/
const ADDED_COLUMN =
  /^add (?:column )?(?:if not exists )?(?!constraint |primary key|unique|check|foreign key|exclude)/
const REFERENCE = /\breferences ([\w."]+) ?(?:\([^)]*\))?([^,)]*)/g
const INSERT = /^insert into ([\w."]+)/
/** None of them exists yet: `or replace` is not among them. */
const ALSO_NEW = /^(?:create (?:sequence|type|function|view|extension|schema) |comment on )/

/**
 * Why a file must not call itself `expand`, or `undefined`. A net, not a proof: only statements that are known to add pass,
 * and what they mean for older code is for its author to say.
 */
export function reasonAgainstExpand(sql: string): string | undefined {
  const statements = statementsOf(sql)
  const made = new Set(statements.flatMap((statement) => CREATE_TABLE.exec(statement)?.[1] ?? []))
  for (const statement of statements) {
    const reason = reasonAgainst(statement, made)
    if (reason !== undefined) return `"${statement.slice(0, 80)}" ${reason}`
  }
  return undefined
}

function reasonAgainst(statement: string, made: ReadonlySet<string>): string | undefined {
  for (const [, table = '', after = ''] of statement.matchAll(REFERENCE))
    if (!made.has(table) && !/on delete (?:cascade|set)/.test(after))
      return `keeps older nodes from deleting rows of ${table}`
  const [, unique, ifNotExists, indexed] = CREATE_INDEX.exec(statement) ?? []
  if (indexed !== undefined && !made.has(indexed)) {
    if (unique !== undefined) return 'refuses rows that older nodes write'
    // Writers wait while it is built. Who has many rows builds it first, `concurrently`, under the same name.
    return ifNotExists === undefined ? 'lacks "if not exists"' : undefined
  }
  const [, altered, actions = ''] = ALTER_TABLE.exec(statement) ?? []
  if (altered !== undefined && !made.has(altered)) return reasonAgainstActions(actions)
  const filled = INSERT.exec(statement)?.[1]
  const isAboutNew = [indexed, altered, filled].some((table) => table !== undefined && made.has(table))
  return isAboutNew || CREATE_TABLE.test(statement) || ALSO_NEW.test(statement)
    ? undefined
    : 'is not known to only add'
}

function reasonAgainstActions(actions: string): string | undefined {
  // Commas inside of parentheses separate other things than actions.
  for (const action of actions.split(/,(?![^(]*\))/).map((text) => text.trim())) {
    if (!ADDED_COLUMN.test(action)) return 'does more than to add columns'
    if (/\b(?:unique|primary key)\b/.test(action)) return 'refuses rows that older nodes write'
    if (/\bnot null\b/.test(action) && !/\bdefault\b/.test(action)) return 'needs a default for older nodes'
    if (/\bgenerated\b|\bdefault \(*(?!now\()\w+\(/.test(action)) return 'writes every row anew, under a lock'
  }
  return undefined
}
