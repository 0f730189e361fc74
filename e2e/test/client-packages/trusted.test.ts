import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { PackagePage } from '@patchbay/contracts/registry'
import { type RunningOidcProvider, startOidcProvider } from '@patchbay/dev-identity-provider'
import { withCompiledCode } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { CLI, type ClientServer, startClientServer } from '../client/start-server.ts'
import { run } from '../deploy/commands.ts'
import { readYaml } from '../deploy/files.ts'
import { openSession, pageHeaders } from '../installation/accounts.ts'
import { createAuthor } from './author.ts'

vi.setConfig({ testTimeout: 90_000 })

const REPOSITORY = 'acme/blinky'
const JOB = {
  sub: `repo:${REPOSITORY}:ref:refs/tags/v1.0`,
  repository: REPOSITORY,
  repository_id: '4711',
  ref: 'refs/tags/v1.0',
  sha: 'c0ffee'.padEnd(40, '0'),
  workflow_ref: `${REPOSITORY}/.github/workflows/release.yml@refs/tags/v1.0`,
  event_name: 'push',
  run_id: '99',
}

let ci: RunningOidcProvider
let server: ClientServer
beforeAll(async () => {
  ci = await startOidcProvider()
  server = await startClientServer({
    PATCHBAY_CI_ISSUERS: JSON.stringify([
      { id: 'ci', name: 'Example CI', issuer: ci.issuer, kind: 'github' },
    ]),
  })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await ci[Symbol.asyncDispose]()
})

/** What a runner of the CI service offers its job: an address that answers with a token for the audience it names. */
async function startRunner(claims: () => Readonly<Record<string, unknown>>) {
  const asked: string[] = []
  const runner = createServer((request, response) => {
    const audience = new URL(request.url ?? '/', 'http://runner').searchParams.get('audience') ?? ''
    asked.push(`${request.headers.authorization ?? ''} ${audience}`)
    void ci
      .signJobToken(audience, claims())
      .then((value) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ value })),
      )
  })
  await new Promise<void>((resolve) => runner.listen(0, '127.0.0.1', resolve))
  const { port } = runner.address() as AddressInfo
  return {
    asked,
    environment: {
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-runner',
    },
    [Symbol.asyncDispose]: async () => {
      runner.closeAllConnections()
      await new Promise((resolve) => runner.close(resolve))
    },
  }
}

async function trust(identifier: string): Promise<void> {
  const token = await openSession(server, { id: server.ada.id, handle: 'ada' })
  const response = await fetch(`${server.url}/auth/trusted-publishers`, {
    method: 'POST',
    headers: pageHeaders(token, server.url),
    body: JSON.stringify({
      owner: 'ada',
      identifier,
      service: 'ci',
      repository: REPOSITORY,
      ref: 'refs/tags/v*',
      workflow: '.github/workflows/release.yml',
    }),
  })
  expect(response.status).toBe(201)
}

test('[CLI-260][A-620] a CI job publishes without a stored key, and the page says which one it was', async () => {
  await using runner = await startRunner(() => JOB)
  await using job = await createAuthor(server, 'com.example.blinky', runner.environment)
  await trust('com.example.blinky')
  const published = await job.run('package', 'publish', job.package, '--trusted', '--owner', 'ada')
  expect(published).toMatchObject({ code: 0 })
  expect(published.stdout).toContain('Published com.example.blinky 0.1.0 for ada')
  expect(runner.asked).toEqual([`Bearer of-the-runner ${server.url}`])
  const page = (await (
    await fetch(`${server.url}/registry/packages/com.example.blinky`)
  ).json()) as PackagePage
  expect(page.versions[0]).toMatchObject({
    published_by: 'ada',
    provenance: {
      service: 'Example CI',
      repository: REPOSITORY,
      ref: 'refs/tags/v1.0',
      commit: JOB.sha,
      run_url: `${ci.issuer}/${REPOSITORY}/actions/runs/99`,
    },
  })
})

test('[CLI-260] forged claims publish nothing, and the job is told why', async () => {
  let claims: Record<string, unknown> = JOB
  await using runner = await startRunner(() => claims)
  await using job = await createAuthor(server, 'com.example.forged', runner.environment)
  await trust('com.example.forged')
  const forged = {
    'The repository is not': { ...JOB, repository: 'mallory/blinky' },
    'The branch or tag is not': { ...JOB, ref: 'refs/heads/main' },
    'The workflow file is not': {
      ...JOB,
      workflow_ref: `${REPOSITORY}/.github/workflows/test.yml@refs/tags/v1.0`,
    },
    'Jobs that a pull request': { ...JOB, event_name: 'pull_request_target' },
    'it has expired': { ...JOB, iat: 1_700_000_000, exp: 1_700_000_300 },
    'for the audience': { ...JOB, aud: 'https://elsewhere.example' },
  }
  for (const [words, wrong] of Object.entries(forged)) {
    claims = wrong
    const refused = await job.run('package', 'publish', job.package, '--trusted', '--owner', 'ada')
    expect([words, refused.code]).toEqual([words, 1])
    expect(refused.stderr).toContain(`${server.url} rejected the token of this job.`)
    expect(refused.stderr).toContain(words)
  }
  expect((await fetch(`${server.url}/registry/packages/com.example.forged`)).status).toBe(404)
})

test('[DP-405] the step for GitHub publishes a folder, and the job for GitLab runs the same command', async () => {
  await using runner = await startRunner(() => JOB)
  await using job = await createAuthor(server, 'com.example.step')
  await trust('com.example.step')
  interface Step {
    readonly env: Record<string, string>
    readonly run: string
  }
  const { runs } = await readYaml<{ runs: { steps: [Step] } }>('deploy/ci/github/action.yml')
  const [step] = runs.steps
  expect(step.run).not.toContain('${{')
  const inputs: Record<string, string> = {
    server: server.url,
    owner: 'ada',
    package: job.package,
    version: 'latest',
  }
  const env = Object.entries(step.env).map(([name, value]) => [
    name,
    value.replace(/^\$\{\{ inputs\.(\w+) \}\}$/, (_all, input: string) => inputs[input] ?? ''),
  ])
  // In place of what npm has, the command of this checkout.
  const bin = join(job.home, 'bin')
  await mkdir(bin)
  const npx = `#!/bin/sh\n[ "$1 $2" = "--yes @patchbay/cli@latest" ] || exit 9\nshift 2\nexec "${process.execPath}" "${CLI}" "$@"\n`
  await writeFile(join(bin, 'npx'), npx, { mode: 0o755 })
  const ended = await run('bash', ['-e', '-o', 'pipefail', '-c', step.run], {
    env: {
      ...withCompiledCode({ HOME: job.home, PATH: `${bin}:${process.env['PATH'] ?? ''}` }),
      ...runner.environment,
      ...Object.fromEntries(env),
    },
  })
  expect(ended.output).toContain('Published com.example.step 0.1.0 for ada')
  expect(ended.code).toBe(0)

  const { publish } = await readYaml<{
    publish: {
      script: [string]
      variables: Record<string, string>
      id_tokens: Record<string, { aud: string }>
    }
  }>('deploy/ci/gitlab.yml')
  const words = (line: string) => line.replace(/@latest|@\$VERSION|"/g, '').replace('$PACKAGE', '.')
  expect(words(publish.script[0])).toBe(words(step.run))
  expect(publish.id_tokens['PATCHBAY_ID_TOKEN']?.aud).toBe(publish.variables['PATCHBAY_SERVER_URL'])
})

test('[CLI-261] GitLab puts the token into a variable; without any, and without an owner, that is said', async () => {
  await using bare = await createAuthor(server, 'com.example.gitlab')
  const publish = (...words: string[]) => bare.run('package', 'publish', bare.package, '--trusted', ...words)
  expect(await publish()).toMatchObject({ code: 2, stderr: expect.stringContaining('--owner') })
  expect(await publish('--owner', 'ada')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('id-token: write'),
  })
  await trust('com.example.gitlab')
  const token = await ci.signJobToken(server.url, JOB)
  await using job = await createAuthor(server, 'com.example.gitlab', { PATCHBAY_ID_TOKEN: token })
  const published = await job.run('package', 'publish', job.package, '--trusted', '--owner', 'ada')
  expect(published).toMatchObject({ code: 0 })
})
