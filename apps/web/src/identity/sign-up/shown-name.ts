import { postSignUp } from '@patchbay/contracts/identity'
import { textRule } from '../../server/text-rule.ts'

/** Blanks at the ends are a slip, not part of a name. */
export function tidyName(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

/** Text that others will read: nothing invisible, nothing that turns the reading direction. */
export const isShownName = textRule(postSignUp.body.properties.display_name)
