/** What a look at one part of an installation has shown. */
export type CheckResult =
  | { readonly state: 'ok'; readonly says: string }
  | { readonly state: 'warning' | 'fault'; readonly says: string; readonly fix: string }

/** One line of `patchbay doctor`. */
export interface InstallationCheck {
  readonly name: string
  /** `undefined`: there is nothing to look at here. What it throws is a fault, with `fix`. */
  readonly look: () => Promise<CheckResult | undefined>
  /** What to do when the look itself fails. */
  readonly fix: string
}
