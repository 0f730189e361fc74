import type { ReactNode } from 'react'

/** What a panel with a page of somebody's own says. */
export const words = {
  none: {
    title: 'This panel has no page',
    text: 'Whoever added it to the catalog has taken it out, or its address is none.',
  },
  from: (link: ReactNode) => <>From {link}</>,
}
