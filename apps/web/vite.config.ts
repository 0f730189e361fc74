import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Plugin, Rolldown } from 'vite'

export interface WebConfigOptions {
  /** Where the Patchbay server listens; the development server forwards its paths there. */
  serverUrl: string
  /** Where the viewer listens; so are the paths of its pages. */
  viewerUrl?: string
}

/** Whole names: `/auth` as a prefix would take the app's own `/authors` away from it. */
const SERVER_PATHS =
  '^/(?:api|auth|health|panels/sandbox-(?:host|frame)|ready|registry|openapi\\.json|reference(?:\\.css)?)(?:[/?]|$)'
const VIEWER_PATHS = '^/(?:api/(?:next-paste|pastes|upload-grants|viewer)|pastes)(?:[/?]|$)'
const SCHEMA_WORDS = fileURLToPath(new URL('src/server/schema-words.ts', import.meta.url))
/** The same addresses for which the server sends the page of a workspace. */
const WORKSPACE_PAGE = /^\/workspaces\/[^/]+\/[^/?]+\/?(?:\?|$)/
const VIEWER_PAGE = /^\/screenshot-paste(?:\?|$)/
const NONCE = /<meta name="patchbay-upload-nonce" content="([^"]+)"/
const USUAL_VIEWER_URL = 'http://127.0.0.1:8797'
const REACT = /[\\/]node_modules[\\/](?:react|react-dom|react-router|scheduler)[\\/]/

/** The web app's Vite configuration, for whoever starts Vite: the command line, the tests, the development launcher. */
export function webConfig(options: WebConfigOptions): InlineConfig {
  return configOf('index', options, [
    ownDocument('workspace', WORKSPACE_PAGE, options),
    ownDocument('viewer', VIEWER_PAGE, options),
    viewerNonce(options),
  ])
}

type DocumentName = 'index' | 'workspace' | 'viewer'

function configOf(
  document: DocumentName,
  { serverUrl, viewerUrl = USUAL_VIEWER_URL }: WebConfigOptions,
  plugins: Plugin[],
): InlineConfig {
  // The viewer answers its own pages alone; to it, this is one of them.
  const asItsOwn = { changeOrigin: true, headers: { origin: new URL(viewerUrl).origin } }
  return {
    root: pathOf('.'),
    // Whoever passes this object to Vite would otherwise get every plugin twice: once from here, once from the file.
    configFile: false,
    plugins: [scriptText(), react(), ...plugins],
    // See there: the contracts need the words of the schema library, not the library.
    resolve: { alias: [{ find: /^typebox(?:\/schema)?$/, replacement: SCHEMA_WORDS }] },
    build: {
      outDir: 'dist/client',
      emptyOutDir: true,
      sourcemap: true,
      // Small assets as data: URLs would need a looser Content-Security-Policy for fonts and styles.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // What changes with a dependency, not with us, keeps its name and stays in the browser's cache.
      rolldownOptions: {
        input: pathOf(`${document}.html`),
        output: { codeSplitting: { groups: [{ name: 'react', test: REACT }] } },
      },
      // For older browsers light-dark() would be resolved at the root, and a dark part of a light page turn light.
      cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    },
    server: {
      host: '127.0.0.1',
      proxy: {
        [VIEWER_PATHS]: { target: viewerUrl, ws: true, ...asItsOwn },
        [SERVER_PATHS]: { target: serverUrl, ws: true },
      },
    },
  }
}

/**
 * Workspaces and the viewer have documents of their own. Each is built by itself: with shared pieces the first load of all
 * other pages would be in two dozen files, and a thirtieth larger.
 */
function ownDocument(document: DocumentName, pages: RegExp, options: WebConfigOptions): Plugin {
  let outDir: string
  return {
    name: `${document}-document`,
    configResolved({ build }) {
      ;({ outDir } = build)
    },
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (pages.test(request.url ?? '')) request.url = `/${document}.html`
        next()
      })
    },
    async writeBundle() {
      const { build } = await import('vite')
      const config = configOf(document, options, [])
      await build({
        ...config,
        logLevel: 'error',
        build: { ...config.build, outDir, emptyOutDir: false, copyPublicDir: false },
      })
    },
  }
}

/** The development server hands the viewer's nonce on: without one the page could upload nothing. */
function viewerNonce({ viewerUrl = USUAL_VIEWER_URL }: WebConfigOptions): Plugin {
  return {
    name: 'viewer-nonce',
    apply: 'serve',
    async transformIndexHtml(html, { path }) {
      if (path !== '/viewer.html') return html
      const served = await fetch(new URL('/screenshot-paste', viewerUrl)).catch(() => undefined)
      const nonce = (await served?.text())?.match(NONCE)?.[1]
      return nonce === undefined
        ? html
        : html.replace(NONCE, (meta, none: string) => meta.replace(none, nonce))
    },
  }
}

const SCRIPT = '?script'

/** `x.ts?script` is the text of one script with everything that x imports: for a frame that can load nothing itself. */
function scriptText(): Plugin {
  return {
    name: 'script-text',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(SCRIPT)) return null
      const { build } = await import('vite')
      const [bundle] = (await build({
        configFile: false,
        logLevel: 'silent',
        build: {
          write: false,
          target: 'esnext',
          lib: {
            entry: id.slice(0, -SCRIPT.length),
            formats: ['iife'],
            name: 'sandboxFrame',
            fileName: 'script',
          },
        },
      })) as Rolldown.RolldownOutput[]
      const chunk = bundle?.output[0]
      if (chunk === undefined) throw new Error(`nothing came of ${id}`)
      for (const path of chunk.moduleIds) if (path.startsWith('/')) this.addWatchFile(path)
      return `export const text = ${JSON.stringify(chunk.code)}`
    },
  }
}

export default webConfig({ serverUrl: 'http://127.0.0.1:8790' })

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}
