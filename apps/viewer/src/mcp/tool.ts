import type { CallToolResult, ContentBlock, McpServer, ServerContext } from '@modelcontextprotocol/server'
import { fromJsonSchema, type StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import type { Log } from '@patchbay/kernel/log'
import type { Static, TObject } from 'typebox'
import { failureWords } from './failure-words.ts'
import { ToolRefusal } from './tool-refusal.ts'

/** What a tool may do, for clients that ask the person first. */
interface Nature {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

interface ToolDescription<Input extends TObject, Output extends TObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly output: Output
  readonly nature: Nature
}

/** What a tool answers: words for the model, the same as facts for programs, and pictures. */
export interface Answer<Facts> {
  readonly text: string
  readonly facts: Facts
  readonly more?: readonly ContentBlock[]
  readonly isError?: boolean
}

export type Work<Input extends TObject, Output extends TObject> = (
  given: Static<Input>,
  context: ServerContext,
) => Promise<Answer<Static<Output>>>

/** A tool that can be added to any number of servers: over HTTP there is one for each request. */
export interface Tool<Input extends TObject, Output extends TObject> {
  addTo(server: McpServer, log: Log, work: Work<Input, Output>): void
}

/** The schemas are compiled here, once. */
export function defineTool<Input extends TObject, Output extends TObject>(
  description: ToolDescription<Input, Output>,
): Tool<Input, Output> {
  const { name, title, description: words, nature } = description
  const inputSchema = standardOf<Input>(description.input)
  const outputSchema = standardOf<Output>(description.output)
  const config = { title, description: words, inputSchema, outputSchema, annotations: { title, ...nature } }
  return {
    addTo(server, log, work) {
      server.registerTool(name, config, async (given, context) => {
        try {
          return present(await work(given, context))
        } catch (error) {
          return refuse(error, name, context, log)
        }
      })
    },
  }
}

function standardOf<Schema extends TObject>(schema: Schema): StandardSchemaWithJSON<Static<Schema>> {
  // The schemas of the contract have keys for their compiler, which no client needs to see.
  return fromJsonSchema<Static<Schema>>(JSON.parse(JSON.stringify(schema)))
}

function present({ text, facts, more = [], isError }: Answer<unknown>): CallToolResult {
  return {
    content: [{ type: 'text', text }, ...more],
    structuredContent: facts,
    ...(isError === true ? { isError } : {}),
  }
}

/** A failure is an answer that the model can act on. What nobody expected is told without a word of what it was. */
function refuse(error: unknown, tool: string, { mcpReq }: ServerContext, log: Log): CallToolResult {
  const words = failureWords(error)
  if (words === undefined && !mcpReq.signal.aborted) log.error({ err: error, tool }, 'tool failed')
  const facts = error instanceof ToolRefusal ? error.facts : undefined
  return {
    content: [
      {
        type: 'text',
        text: words ?? 'Something went wrong that should not have. The log of the viewer says what.',
      },
    ],
    ...(facts === undefined ? {} : { structuredContent: { ...facts } }),
    isError: true,
  }
}
