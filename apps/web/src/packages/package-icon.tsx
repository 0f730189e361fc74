import type { PackageType } from '@patchbay/package-format'
import { BookMarked, Palette, Plug } from 'lucide-react'
import { useState } from 'react'
import { classes } from '../components/classes.ts'
import { ownPath } from './own-path.ts'
import styles from './package-icon.module.css'

const MARKS = { plugin: Plug, library: BookMarked, colortheme: Palette } as const satisfies Record<
  PackageType,
  unknown
>

interface PackageIconProps {
  address: string | null
  type: PackageType
  size?: 'md' | 'lg'
}

/** A package's own picture, or a mark for its type where it has none or it cannot be shown. */
export function PackageIcon({ address, type, size = 'md' }: PackageIconProps) {
  const [isBroken, setIsBroken] = useState(false)
  const Mark = MARKS[type]
  return (
    <span className={classes(styles.frame)} data-size={size} data-mark={address === null || isBroken}>
      {address === null || isBroken ? (
        <Mark aria-hidden />
      ) : (
        <img src={ownPath(address)} alt="" loading="lazy" onError={() => setIsBroken(true)} />
      )}
    </span>
  )
}
