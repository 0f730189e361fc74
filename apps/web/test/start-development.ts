import { createServer } from 'vite'
import { type WebConfigOptions, webConfig } from '../vite.config.ts'

export interface DevelopmentOptions extends WebConfigOptions {
  /** Where libraries are kept as they were made ready: an empty folder is a checkout that was never started. */
  readonly cacheDir?: string
}

/** The development server of the pages, on a free port. */
export async function startDevelopment({
  cacheDir,
  ...options
}: DevelopmentOptions): Promise<AsyncDisposable & { readonly url: string }> {
  const config = webConfig(options)
  const vite = await createServer({
    ...config,
    ...(cacheDir !== undefined && { cacheDir }),
    logLevel: 'error',
    server: { ...config.server, port: 0 },
  })
  await vite.listen()
  return { url: vite.resolvedUrls?.local[0] ?? '', [Symbol.asyncDispose]: () => vite.close() }
}
