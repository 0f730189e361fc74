/** What is wrong, or could be better, between two places of the text. */
export interface HelpDiagnostic {
  readonly from: number
  readonly to: number
  readonly severity: 'error' | 'warning' | 'info'
  readonly message: string
}

export interface HelpCompletion {
  /** What is compared with what was typed. */
  readonly label: string
  /** What is shown, where that is something else. */
  readonly displayLabel?: string
  /** As CodeMirror draws it: `function`, `property` and so on. */
  readonly type: string
  readonly detail?: string
  /** What is inserted in place of the label, with the cursor at its end. */
  readonly apply?: string
  readonly boost?: number
}

export interface HelpCompletions {
  /** Where the word begins that is replaced. */
  readonly from: number
  /** Where it ends; at the cursor unless given. */
  readonly to?: number
  readonly options: readonly HelpCompletion[]
}

export interface HelpHover {
  readonly from: number
  readonly to: number
  /** In the language itself. */
  readonly code?: string
  readonly text?: string
}

/** Questions about a text; `offset` is where in it. */
export interface HelpQuestions {
  diagnose: { readonly ask: object; readonly answer: readonly HelpDiagnostic[] }
  complete: {
    readonly ask: { readonly offset: number; readonly isExplicit: boolean }
    readonly answer: HelpCompletions | null
  }
  /** What a completion is, once somebody looks at it. */
  describe: {
    readonly ask: { readonly offset: number; readonly label: string }
    readonly answer: HelpHover | null
  }
  hover: { readonly ask: { readonly offset: number }; readonly answer: HelpHover | null }
}

export type QuestionName = keyof HelpQuestions

export interface Asked<Name extends QuestionName = QuestionName> {
  readonly type: 'ask'
  readonly id: number
  readonly name: Name
  readonly path: string
  readonly text: string
  readonly question: HelpQuestions[Name]['ask']
}

/** A file of the workspace, or a schema of this installation under `schema:`. */
export interface HelpFile {
  readonly path: string
  readonly text: string
}

export type ToWorker =
  | Asked
  /** The first of the wanted files that is there. */
  | { readonly type: 'wanted'; readonly number: number; readonly file: HelpFile | undefined }
  /** Files of the workspace have changed. */
  | { readonly type: 'forget' }

export type FromWorker =
  | { readonly type: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly type: 'failed'; readonly id: number }
  | { readonly type: 'wants'; readonly number: number; readonly paths: readonly string[] }

/** Texts that are longer get no help: it would come too late to be any. */
export const HELP_LIMITS = {
  characters: 300_000,
  /** Of files that a worker reads besides, until they change. */
  files: 100,
  completions: 1_000,
  diagnostics: 200,
} as const
