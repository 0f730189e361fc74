import type { ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { classes } from '../components/classes.ts'
import styles from './package-link.module.css'

/** Leads to the page of a package. It looks like the heading or title that it stands in. */
export function PackageLink({ identifier, children }: { identifier: string; children: ReactNode }) {
  return (
    <Link href={`/packages/${identifier}`} className={classes(styles.link)}>
      {children}
    </Link>
  )
}
