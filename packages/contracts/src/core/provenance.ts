import { type Static, Type } from 'typebox'

/** What a CI service says of the job that published a version. */
export const provenance = Type.Object(
  {
    service: Type.String({ description: 'Name of the CI service.' }),
    repository: Type.String({ description: 'Such as `acme/lamp`.' }),
    ref: Type.String({ description: 'Such as `refs/tags/v1.2.0`.' }),
    commit: Type.String(),
    workflow: Type.String({ description: 'File that defines the job, with its repository.' }),
    run_url: Type.String({ description: 'Page of the run at the CI service.' }),
  },
  { description: 'Which CI job published it. The CI service has signed this.' },
)
export type Provenance = Static<typeof provenance>
