import type { LayoutChange } from '@patchbay/contracts/panels'
import { layoutChangeSchema } from '@patchbay/workspace-layout'
import { Compile } from 'typebox/compile'

const isChange = Compile(layoutChangeSchema)

/** What is wrong with a change from the network, in words; `undefined` if nothing is. */
export function faultOfChange(change: LayoutChange): string | undefined {
  // Without the version that was read, it would overwrite what others have changed since.
  if (change.type === 'replace')
    return 'A whole layout is replaced over HTTP, with the version that was read.'
  return isChange.Check(change) ? undefined : 'The change is not as documented.'
}
