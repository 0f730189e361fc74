import { Problem } from '@patchbay/contracts/core'
import { getFeedFile, getPrivateFeedFile } from '@patchbay/contracts/registry'
import { type HttpApp, on, READ } from '@patchbay/kernel/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RegistryDeps } from '../deps.ts'
import { mayReadAll } from './access.routes.ts'
import { answer } from './answer.routes.ts'
import { BoundedCache } from './bounded-cache.ts'
import { type Coding, ENCODINGS } from './encoding.ts'
import { findFeedFile } from './feed-file.store.ts'
import { IMMUTABLE, PRIVATE, type Representation, represent } from './representation.ts'
import type { StoredBodies } from './stored-bodies.store.ts'

const MOST_KNOWN = 10_000

interface FileAddress {
  readonly sha256: string
  readonly name: string
  readonly owner?: string
}

export function registerFeedFiles(app: HttpApp, deps: RegistryDeps, bodies: StoredBodies): void {
  const { db } = deps
  const known = new BoundedCache<Representation>({ maxWeight: MOST_KNOWN, weigh: () => 1 })

  const find = async (sha256: string, name: string, owner?: string): Promise<Representation | undefined> => {
    const row = await findFeedFile(db, sha256, name, owner)
    if (row === undefined) return undefined
    const codings: Coding[] = [...ENCODINGS.filter((each) => row.encodings[each] !== undefined), 'identity']
    const type = name.endsWith('.zip') ? 'application/zip' : 'application/json'
    const cacheControl = owner === undefined ? IMMUTABLE : PRIVATE
    return represent({ sha256, type, cacheControl, codings }, (coding) =>
      bodies.load(coding === 'identity' ? sha256 : (row.encodings[coding] ?? sha256)),
    )
  }

  /** Housekeeping may have removed it since it was looked up: then there is no such file, and nothing is broken. */
  const explain = async (error: unknown, { sha256, name, owner }: FileAddress): Promise<never> => {
    known.drop(`${sha256} ${name}`)
    const isRow = (await findFeedFile(db, sha256, name, owner)) !== undefined
    throw isRow ? error : new Problem('not_found')
  }
  const show = (
    request: FastifyRequest,
    reply: FastifyReply,
    file: Representation | undefined,
    address: FileAddress,
  ): Promise<FastifyReply> => {
    if (file === undefined) throw new Problem('not_found')
    return answer(request, reply, file).catch((error: unknown) => explain(error, address))
  }

  app.route({
    ...on(getFeedFile),
    method: READ,
    async handler(request, reply) {
      const { sha256, name } = request.params
      const file = await known.load(`${sha256} ${name}`, () => find(sha256, name))
      return show(request, reply, file, request.params)
    },
  })

  app.route({
    ...on(getPrivateFeedFile),
    method: READ,
    async handler(request, reply) {
      const { owner, sha256, name } = request.params
      if (!(await mayReadAll(deps, request, owner))) throw new Problem('not_found')
      return show(request, reply, await find(sha256, name, owner), request.params)
    },
  })
}
