interface SchemaOf {
  readonly schema: unknown
  readonly httpPart?: string
}
type Compile = (part: never) => unknown

/** What it takes of an app of the HTTP framework; naming its types would make this package depend on it. */
interface App {
  readonly validatorCompiler: Compile | undefined
  readonly serializerCompiler: Compile | undefined
  setValidatorCompiler(compile: never): unknown
  setSerializerCompiler(compile: never): unknown
  addHook(name: 'onReady', hook: () => Promise<void>): unknown
}

const validators = new WeakMap<object, Map<string, unknown>>()
const serializers = new WeakMap<object, Map<string, unknown>>()
let serializerCompiler: Compile | undefined

/**
 * Compiles each schema once for all apps of a test process: doing it anew took longer than everything else of starting a
 * node. Call it before routes are ready; the schemas of a route must be the same objects each time.
 */
export function shareCompiledSchemas(app: App): void {
  if (app.validatorCompiler !== undefined)
    app.setValidatorCompiler(onceForEach(validators, app.validatorCompiler) as never)
  if (serializerCompiler !== undefined) app.setSerializerCompiler(serializerCompiler as never)
  // The framework makes its own one while the first app gets ready.
  else
    app.addHook('onReady', async () => {
      if (app.serializerCompiler !== undefined)
        serializerCompiler ??= onceForEach(serializers, app.serializerCompiler)
    })
}

function onceForEach(compiled: WeakMap<object, Map<string, unknown>>, compile: Compile): Compile {
  return (part: SchemaOf) => {
    const { schema, httpPart = '' } = part
    if (typeof schema !== 'object' || schema === null) return compile(part as never)
    const known = compiled.get(schema) ?? new Map<string, unknown>()
    compiled.set(schema, known)
    if (!known.has(httpPart)) known.set(httpPart, compile(part as never))
    return known.get(httpPart)
  }
}
