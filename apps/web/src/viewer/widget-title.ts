import { SCREENSHOT_PASTE_PATH } from '@patchbay/contracts/viewer'
import { displayText } from '@patchbay/primitives/text'

const LENGTH = 200

/** What the widget is for, as somebody outside said. */
export function tidyTitle(text: string | null): string | undefined {
  return displayText(text, LENGTH) || undefined
}

export function titleInAddress(search: string): string | undefined {
  return tidyTitle(new URLSearchParams(search).get('title'))
}

export function addressOfWidget(title: string | undefined): string {
  return title === undefined
    ? SCREENSHOT_PASTE_PATH
    : `${SCREENSHOT_PASTE_PATH}?${new URLSearchParams({ title }).toString()}`
}
