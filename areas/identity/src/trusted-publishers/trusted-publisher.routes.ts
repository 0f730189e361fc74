import { Problem } from '@patchbay/contracts/core'
import {
  type CiTokenRefusal,
  deleteTrustedPublisher,
  getTrustedPublishers,
  postCiKey,
  postTrustedPublisher,
} from '@patchbay/contracts/identity'
import { type HttpApp, on } from '@patchbay/kernel/http'
import { PUBLIC_RATE } from '../accounts/public-rate.ts'
import type { IdentityDeps } from '../deps.ts'
import { makeApiKey } from '../keys/api-key.ts'
import { ownersBeyond } from '../keys/permission.store.ts'
import { sha256 } from '../secrets.ts'
import type { Authentication } from '../sessions/authentication.store.ts'
import { createReadCiToken, findService } from './ci-token.io.ts'
import { findTrust, readJob } from './job.ts'
import { findTrusts, listTrusts, removeTrust, storeCiKey, storeTrust } from './trusted-publisher.store.ts'
import { presentTrust } from './trusted-publisher.ts'

const KEY_SECONDS = 15 * 60
const EXCHANGE_DEADLINE_MS = 25_000

export function registerTrustedPublishers(
  app: HttpApp,
  deps: IdentityDeps,
  authentication: Authentication,
): void {
  const { db, clock, createSecret, log, settings } = deps
  const { ciServices: services, publicUrl: audience } = settings
  const readToken = createReadCiToken({ clock, log, audience })

  app.route({
    ...on(getTrustedPublishers),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const person = await authentication.requirePerson(request)
      const { owner, identifier } = request.query
      if ((await ownersBeyond(db, person, [owner])).size > 0) throw new Problem('not_permitted')
      const found = await listTrusts(db, owner, identifier)
      return {
        items: found.map(presentTrust),
        services: services.map(({ id, name }) => ({ id, name })),
        audience,
      }
    },
  })

  app.route({
    ...on(postTrustedPublisher),
    async handler(request, reply) {
      const person = await authentication.requirePersonsChange(request)
      const { workflow = null, environment = null, ...wanted } = request.body
      if (!services.some(({ id }) => id === wanted.service)) throw new Problem('ci_service_unknown')
      const kept = await storeTrust(db, person, { ...wanted, workflow, environment }, clock.now())
      return reply.code(201).send(presentTrust(kept))
    },
  })

  app.route({
    ...on(deleteTrustedPublisher),
    async handler(request, reply) {
      const person = await authentication.requirePersonsChange(request)
      if (!(await removeTrust(db, person, request.params.id))) throw new Problem('not_found')
      return reply.code(204).send()
    },
  })

  app.route({
    ...on(postCiKey, { rateLimit: PUBLIC_RATE, deadlineMs: EXCHANGE_DEADLINE_MS }),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { token: text, owner, identifier } = request.body
      const service = findService(services, text)
      if (service === undefined) throw refuse('token', audience)
      const token = await readToken(service, text)
      if (token === undefined) throw refuse('token', audience)
      const job = readJob(service, token.claims)
      if (typeof job === 'string') throw refuse(job, audience)
      const trust = findTrust(
        service.kind,
        await findTrusts(db, { service: service.id, owner, identifier }),
        job,
      )
      if (typeof trust === 'string') throw refuse(trust, audience)
      const person = { personId: trust.person_id, handle: trust.added_by }
      // A key would open nothing: whoever added it may no longer publish for the owner.
      if ((await ownersBeyond(db, person, [owner])).size > 0) throw refuse('publisher', audience)
      const now = clock.now()
      const { key, kept } = makeApiKey(
        {
          name: `${service.name}: ${job.repository}`,
          scopes: [`packages:${owner}/${identifier}`],
          expiresInSeconds: KEY_SECONDS,
        },
        createSecret(),
        now,
      )
      const outcome = await storeCiKey(db, {
        trust,
        repositoryId: job.repositoryId,
        key: kept,
        provenance: {
          service: service.name,
          repository: job.repository,
          ref: job.ref,
          commit: job.commit,
          workflow: job.workflow,
          run_url: job.runUrl,
        },
        token: {
          hash: sha256([service.issuer, token.id, owner, identifier].join('\n')),
          expiresAt: token.expiresAt,
        },
      })
      if (outcome !== 'stored') throw refuse(outcome, audience)
      return reply.code(201).send({
        key,
        scopes: [...kept.scopes],
        expires_at: new Date(now.getTime() + KEY_SECONDS * 1_000).toISOString(),
      })
    },
  })
}

/** What did not fit, in words for the log of a job: whoever reads it has to mend one side or the other. */
function refuse(reason: CiTokenRefusal, audience: string): Problem {
  return new Problem('ci_token_refused', { detail: DETAILS[reason](audience), extensions: { reason } })
}

const DETAILS: Readonly<Record<CiTokenRefusal, (audience: string) => string>> = {
  token: (audience) =>
    `The token is not one that a CI service trusted here has signed for the audience ${audience}, or it has expired.`,
  used: () => 'The token was used before. Ask the CI service for a new one.',
  event: () => 'Jobs that a pull request or another workflow starts cannot publish.',
  publisher: () => 'No trusted publisher is set up for this package and CI service.',
  repository: () =>
    'The repository is not the one that is set up. If it was deleted and created again, remove the trusted publisher and add it again.',
  ref: () => 'The branch or tag is not the one that is set up.',
  workflow: () => 'The workflow file is not the one that is set up.',
  environment: () => 'The environment is not the one that is set up.',
}
