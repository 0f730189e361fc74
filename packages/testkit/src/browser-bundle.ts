import { builtinModules } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'

export interface BrowserBundle {
  readonly code: string
  /** The Node built-ins that any module in it asks for, each once: a browser has none of them. */
  readonly builtins: readonly string[]
}

/** An entry as one script for browsers: a module, or with a name a plain script that leaves the library under it. */
export async function bundleForBrowser(
  entry: URL,
  { globalName }: { readonly globalName?: string } = {},
): Promise<BrowserBundle> {
  const builtins = new Set<string>()
  const reportBuiltins = {
    name: 'report-builtins',
    enforce: 'pre' as const,
    resolveId(source: string) {
      if (source.startsWith('node:') || builtinModules.includes(source)) builtins.add(source)
      return null
    },
  }
  const output = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [reportBuiltins],
    build: {
      write: false,
      minify: true,
      lib: {
        entry: fileURLToPath(entry),
        formats: [globalName === undefined ? 'es' : 'iife'],
        name: globalName ?? '',
        fileName: 'bundle',
      },
    },
  })) as Rolldown.RolldownOutput[]
  return { code: output[0]?.output[0]?.code ?? '', builtins: [...builtins] }
}
