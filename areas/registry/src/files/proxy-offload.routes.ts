import type { FastifyReply } from 'fastify'
import type { RegistryDeps } from '../deps.ts'
import type { Representation } from './representation.ts'

/** Long enough to begin a download; one that has begun goes on. */
const SIGNED_SECONDS = 300

export type HandOver = (
  reply: FastifyReply,
  archive: Representation,
) => FastifyReply | Promise<FastifyReply> | undefined

/** Lets somebody else send the bytes of a public archive. `undefined`: nobody does. */
export function createHandOver({ objects, settings, clock }: RegistryDeps): HandOver {
  const delivery = settings.archiveDelivery
  if (delivery === undefined) return () => undefined
  if (delivery.kind === 'x-accel')
    return (reply, archive) => {
      // Length and ranges are those of the file that nginx finds.
      const {
        'content-length': _length,
        'accept-ranges': _ranges,
        ...headers
      } = archive.describe('identity', 0)
      return reply
        .headers({ ...headers, 'x-accel-redirect': `${delivery.prefix}${objects.pathOf(archive.sha256)}` })
        .send()
    }
  const { publicUrl } = delivery
  if (publicUrl !== undefined)
    return (reply, { sha256 }) => redirect(reply, `${publicUrl.replace(/\/$/, '')}/${objects.pathOf(sha256)}`)
  return async (reply, archive) => {
    const {
      'content-type': contentType = '',
      'content-disposition': contentDisposition = '',
      'cache-control': cacheControl = '',
    } = archive.describe('identity', 0)
    const wanted = {
      now: clock.now(),
      seconds: SIGNED_SECONDS,
      contentType,
      contentDisposition,
      cacheControl,
    }
    return redirect(reply, await objects.signAddress?.(archive.sha256, wanted))
  }
}

function redirect(reply: FastifyReply, address: string | undefined): FastifyReply {
  if (address === undefined) throw new Error('a store without addresses cannot send archives')
  return reply.code(302).headers({ location: address, 'cache-control': 'no-store' }).send()
}
