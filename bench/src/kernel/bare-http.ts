// Fastify as it comes, with the same schema: what the kernel's factory is measured against.
import { fastify } from 'fastify'
import { emptyRoute } from './route.ts'

const app = fastify()
app.get(
  '/things/:id',
  { schema: { params: emptyRoute.params, querystring: emptyRoute.query, response: emptyRoute.responses } },
  async (request) => ({ id: (request.params as { id: string }).id, ok: true }),
)
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) })
