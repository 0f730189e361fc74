import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'

export interface WebConfigOptions {
  /** Where the Patchbay server listens; the development server forwards its paths there. */
  serverUrl: string
}

/** Whole names: `/auth` as a prefix would take the app's own `/authors` away from it. */
const SERVER_PATHS = '^/(?:api|auth|health|ready|registry|openapi\\.json|reference(?:\\.css)?)(?:[/?]|$)'
const SCHEMA_WORDS = fileURLToPath(new URL('src/server/schema-words.ts', import.meta.url))
const REACT = /[\\/]node_modules[\\/](?:react|react-dom|react-router|scheduler)[\\/]/

/** The web app's Vite configuration, for whoever starts Vite: the command line, the tests, the development launcher. */
export function webConfig({ serverUrl }: WebConfigOptions): InlineConfig {
  return {
    root: fileURLToPath(new URL('.', import.meta.url)),
    // Whoever passes this object to Vite would otherwise get every plugin twice: once from here, once from the file.
    configFile: false,
    plugins: [react()],
    // See there: the contracts need the words of the schema library, not the library.
    resolve: { alias: [{ find: /^typebox$/, replacement: SCHEMA_WORDS }] },
    build: {
      outDir: 'dist/client',
      emptyOutDir: true,
      sourcemap: true,
      // Small assets as data: URLs would need a looser Content-Security-Policy for fonts and styles.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // What changes with a dependency, not with us, keeps its name and stays in the browser's cache.
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'react', test: REACT }] } } },
      // For older browsers light-dark() would be resolved at the root, and a dark part of a light page turn light.
      cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    },
    server: {
      host: '127.0.0.1',
      proxy: { [SERVER_PATHS]: { target: serverUrl, ws: true } },
    },
  }
}

export default webConfig({ serverUrl: 'http://127.0.0.1:8790' })
