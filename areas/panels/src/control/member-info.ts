import type { Member } from '@patchbay/kernel/bus'
import type { Connection } from './open-workspace.ts'
import type { OpenBrowser } from './ports.ts'

/** A browser as its node wrote it down for the others. */
export interface Present extends OpenBrowser {
  readonly connection: number
  /** When it opened the workspace, by the clock of its node. */
  readonly openedAt: number
}

type Info = readonly [
  isVisible: 0 | 1,
  isSharing: 0 | 1,
  mayAct: 0 | 1,
  focusedAt: number,
  connection: number,
  openedAt: number,
  ...readyTabs: string[],
]

export function writeInfo(connection: Connection): string {
  const info: Info = [
    connection.isVisible ? 1 : 0,
    connection.isSharing ? 1 : 0,
    connection.mayChange ? 1 : 0,
    connection.focusedAt,
    connection.number,
    connection.openedAt,
    ...connection.readyTabs,
  ]
  return JSON.stringify(info)
}

/** `undefined` for one that a newer node has written in another way: it is not chosen, and nothing breaks. */
export function readMember({ id, node, info }: Member): Present | undefined {
  let value: unknown
  try {
    value = JSON.parse(info)
  } catch {
    return undefined
  }
  if (!Array.isArray(value) || value.length < 6) return undefined
  const [isVisible, isSharing, mayAct, focusedAt, connection, openedAt, ...readyTabs] =
    value as unknown as Info
  if ([focusedAt, connection, openedAt].some((number) => typeof number !== 'number')) return undefined
  return {
    browserId: id,
    node,
    isVisible: isVisible === 1,
    isSharing: isSharing === 1,
    mayAct: mayAct === 1,
    focusedAt,
    readyTabs,
    connection,
    openedAt,
  }
}
