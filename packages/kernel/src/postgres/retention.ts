import type { KernelTables } from './installation.ts'

/** Why a table does not grow forever: what bounds its rows, or for how long they are kept. */
export type Retention =
  | { readonly bound: string }
  | {
      readonly keptFor: string
      /** The variable that changes it. */
      readonly setting?: string
    }

/** Every table of an area: one that is missing does not compile. */
export type RetentionOf<Tables> = Readonly<Record<keyof Tables & string, Retention>>

export const kernelRetention: RetentionOf<KernelTables & { readonly schema_migrations: unknown }> = {
  installation: { bound: 'one row' },
  schema_migrations: { bound: 'one row for each migration' },
}
