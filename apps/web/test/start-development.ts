import { createServer } from 'vite'
import { type WebConfigOptions, webConfig } from '../vite.config.ts'

/** The development server of the pages, on a free port. */
export async function startDevelopment(
  options: WebConfigOptions,
): Promise<AsyncDisposable & { readonly url: string }> {
  const config = webConfig(options)
  const vite = await createServer({ ...config, logLevel: 'error', server: { ...config.server, port: 0 } })
  await vite.listen()
  return { url: vite.resolvedUrls?.local[0] ?? '', [Symbol.asyncDispose]: () => vite.close() }
}
