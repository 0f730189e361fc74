import { getBoardSymbols } from '@patchbay/contracts/boards'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { BoardsDeps } from './deps.ts'
import { searchInstalled } from './symbols.store.ts'

export function registerSymbols(
  app: HttpApp,
  { db, clock, files }: Pick<BoardsDeps, 'db' | 'clock' | 'files'>,
): void {
  app.route({
    ...on(getBoardSymbols),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      await files.admit(request, request.params, 'read')
      const { text, limit = 50 } = request.query
      return await searchInstalled(db, text, limit, clock.now())
    },
  })
}
