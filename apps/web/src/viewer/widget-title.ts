import { SCREENSHOT_PASTE_PATH } from '@patchbay/contracts'

const LENGTH = 200
/** What shows nothing, or turns the direction in which the rest is read. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu

/** What the widget is for, as somebody outside said. */
export function tidyTitle(text: string | null): string | undefined {
  const tidy = (text ?? '').replaceAll(/\s+/g, ' ').replaceAll(UNSEEN, '').trim().slice(0, LENGTH).trim()
  return tidy === '' ? undefined : tidy
}

export function titleInAddress(search: string): string | undefined {
  return tidyTitle(new URLSearchParams(search).get('title'))
}

export function addressOfWidget(title: string | undefined): string {
  return title === undefined
    ? SCREENSHOT_PASTE_PATH
    : `${SCREENSHOT_PASTE_PATH}?${new URLSearchParams({ title }).toString()}`
}
