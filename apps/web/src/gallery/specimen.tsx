import type { ReactNode } from 'react'
import styles from './specimen.module.css'

/** One component of the gallery: its name, when to use it, and every state it has. */
export function Specimen({ name, use, children }: { name: string; use: string; children: ReactNode }) {
  return (
    <div className={styles.specimen}>
      <div className={styles.words}>
        <h3 className={styles.name}>{name}</h3>
        <p className={styles.use}>{use}</p>
      </div>
      <div className={styles.stage}>{children}</div>
    </div>
  )
}

/** States side by side. */
export function Row({ isLoose = false, children }: { isLoose?: boolean; children: ReactNode }) {
  return (
    <div className={styles.row} data-loose={isLoose}>
      {children}
    </div>
  )
}

/** Fields in columns of equal width. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={styles.columns}>{children}</div>
}
