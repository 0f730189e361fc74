import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { type ConnectAnswer, ConnectService } from './connect-service.ts'
import { type ConnectOptions, routesOf, userOf } from './routes.ts'

export type { ConnectOptions } from './routes.ts'

/** `app.register(oauthConnect, options)`. */
export const oauthConnect: FastifyPluginAsync<ConnectOptions<FastifyRequest>> = async (app, options) => {
  const { authPath, statusPath } = routesOf(options)
  const service = new ConnectService(options)

  const asked = async (request: FastifyRequest) => ({
    headers: request.headers,
    path: request.url.replace(/[?#].*$/s, ''),
    // Follows the application's `trustProxy`.
    isSecure: request.protocol === 'https',
    user: await userOf(options, request),
  })
  const send = (reply: FastifyReply, { status, headers, body }: ConnectAnswer) =>
    reply.code(status).headers(headers).send(body)

  // Programs that look at links send HEAD; that must not start anything.
  app.get(authPath, { exposeHeadRoute: false }, async (request, reply) =>
    send(reply, await service.auth(await asked(request))),
  )
  app.get(statusPath, async (request, reply) => send(reply, await service.status(await asked(request))))
  app.addHook('onClose', async () => service.close())
}
