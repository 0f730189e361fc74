import { expect, test } from 'vitest'
import { findTrust, readJob } from '../../src/trusted-publishers/job.ts'

const GITLAB = { kind: 'gitlab', issuer: 'https://gitlab.example' } as const
const CLAIMS = {
  project_path: 'acme/boards/lamp',
  project_id: 22,
  ref: 'main',
  ref_type: 'branch',
  sha: 'b'.repeat(40),
  ci_config_ref_uri: 'gitlab.example/acme/boards/lamp//.gitlab-ci.yml@refs/heads/main',
  pipeline_source: 'push',
  pipeline_id: '7',
}
const TRUST = {
  repository: 'acme/boards/lamp',
  repository_id: null,
  ref: 'refs/heads/main',
  workflow: '.gitlab-ci.yml',
  environment: null,
}

test('[C-313] what GitLab says of a job is read as what GitHub says', () => {
  const job = readJob(GITLAB, CLAIMS)
  expect(job).toEqual({
    repository: 'acme/boards/lamp',
    repositoryId: '22',
    ref: 'refs/heads/main',
    commit: 'b'.repeat(40),
    workflow: 'gitlab.example/acme/boards/lamp//.gitlab-ci.yml@refs/heads/main',
    environment: undefined,
    runUrl: 'https://gitlab.example/acme/boards/lamp/-/pipelines/7',
  })
  if (typeof job === 'string') throw new Error(job)
  expect(findTrust('gitlab', [TRUST], job)).toBe(TRUST)
  expect(findTrust('gitlab', [{ ...TRUST, workflow: 'other.yml' }], job)).toBe('workflow')
  expect(findTrust('gitlab', [{ ...TRUST, ref: 'refs/tags/main' }], job)).toBe('ref')
})

test('[C-313][C-307] a tag is no branch, and a merge request publishes nothing', () => {
  expect(readJob(GITLAB, { ...CLAIMS, ref_type: 'tag' })).toMatchObject({ ref: 'refs/tags/main' })
  expect(readJob(GITLAB, { ...CLAIMS, ref_type: undefined })).toBe('token')
  expect(readJob(GITLAB, { ...CLAIMS, pipeline_source: 'merge_request_event' })).toBe('event')
})

test('[C-305] of several trusted publishers the one that fits counts, else the closest tells what did not', () => {
  const job = readJob(GITLAB, CLAIMS)
  if (typeof job === 'string') throw new Error(job)
  const other = { ...TRUST, repository: 'acme/other' }
  const tags = { ...TRUST, ref: 'refs/tags/*' }
  expect(findTrust('gitlab', [other, tags, TRUST], job)).toBe(TRUST)
  expect(findTrust('gitlab', [other, tags], job)).toBe('ref')
  expect(findTrust('gitlab', [], job)).toBe('publisher')
})

test('[C-300] the key knows the page of its run, on GitHub itself and on a GitHub of one’s own', () => {
  const claims = {
    repository: 'acme/lamp',
    repository_id: '1',
    ref: 'refs/heads/main',
    sha: 'c',
    workflow_ref: 'acme/lamp/x.yml@main',
    event_name: 'push',
    run_id: '9',
  }
  const runOf = (issuer: string) => readJob({ kind: 'github', issuer }, claims)
  expect(runOf('https://token.actions.githubusercontent.com')).toMatchObject({
    runUrl: 'https://github.com/acme/lamp/actions/runs/9',
  })
  expect(runOf('https://github.acme.example/_services/token')).toMatchObject({
    runUrl: 'https://github.acme.example/acme/lamp/actions/runs/9',
  })
})
