import type { BrowserCommand, Layout, PanelAction, PanelStateOf } from '@patchbay/contracts/panels'

/** What may wait for a reader before it counts as slow is twice this. */
const LARGEST_STATES = 512 * 1024

/** As JSON: a layout is turned into text once, whoever it goes to. */
export type LayoutText = string

export function layoutText(layout: Layout): LayoutText {
  return JSON.stringify(layout)
}

export interface Opened {
  readonly version: number
  readonly layout: LayoutText
  /** A list, as JSON. */
  readonly states: string
  readonly actions: readonly PanelAction[]
  readonly mayChange: boolean
}

export function openedText({ version, layout, states, actions, mayChange }: Opened): string {
  return `{"type":"opened","version":${version},"layout":${layout},"states":${states},"actions":${JSON.stringify(actions)},"mayChange":${mayChange}}`
}

export function changedText(version: number, layout: LayoutText, ids: readonly string[]): string {
  return `{"type":"changed","version":${version},"layout":${layout},"ids":${JSON.stringify(ids)}}`
}

export function statesText(states: string, ids: readonly string[]): string {
  return `{"type":"states","states":${states},"ids":${JSON.stringify(ids)}}`
}

/** As lists that are each fit for one message. */
export function statesInParts(states: readonly PanelStateOf[]): string[] {
  const parts: string[] = []
  let part = ''
  for (const state of states) {
    const text = JSON.stringify(state)
    if (part !== '' && part.length + text.length > LARGEST_STATES) {
      parts.push(`[${part}]`)
      part = ''
    }
    part = part === '' ? text : `${part},${text}`
  }
  return part === '' ? parts : [...parts, `[${part}]`]
}

export function actedText(actions: readonly PanelAction[]): string {
  return JSON.stringify({ type: 'acted', actions })
}

export function refusedText(id: string, code: string, message: string, shown?: PanelStateOf): string {
  return JSON.stringify({ type: 'refused', id, code, message, shown })
}

export function ownerText(isYou: boolean, browsers: number): string {
  return `{"type":"owner","isYou":${isYou},"browsers":${browsers}}`
}

/** `pages` as JSON, which is the same for all. */
export function peopleText(you: string, pages: string): string {
  return `{"type":"people","you":"${you}","pages":${pages}}`
}

export function rightsText(mayChange: boolean): string {
  return `{"type":"rights","mayChange":${mayChange}}`
}

export function commandText(id: string, deadlineMs: number, command: BrowserCommand): string {
  return JSON.stringify({ type: 'command', id, deadlineMs, command })
}
