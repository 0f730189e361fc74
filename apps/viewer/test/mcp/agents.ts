import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/** What a tool answered, the same for both generations of clients. */
export interface ToolResult {
  readonly content: readonly {
    readonly type: string
    readonly text?: string
    readonly data?: string
    readonly mimeType?: string
  }[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: boolean
}

export interface ListedTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: { readonly properties?: object; readonly additionalProperties?: unknown }
  readonly outputSchema?: { readonly properties?: object }
  readonly annotations?: Readonly<Record<string, unknown>>
}

export interface CallOptions {
  readonly timeout?: number
  readonly resetTimeoutOnProgress?: boolean
  readonly signal?: AbortSignal
  readonly onprogress?: (progress: { readonly progress: number; readonly total?: number }) => void
}

/** An agent that is connected, by one of the libraries that agents use. */
export interface Agent extends AsyncDisposable {
  /** What the server calls itself. */
  serverName(): string | undefined
  listTools(): Promise<readonly ListedTool[]>
  call(name: string, given?: Record<string, unknown>, options?: CallOptions): Promise<ToolResult>
  /** Of the process that it started; `null` over HTTP. */
  pid(): number | null
}

/** A command that speaks over stdio, or the address of one that speaks over HTTP. */
export interface Reach {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Record<string, string>
  readonly url: string
  readonly headers?: Record<string, string>
}

export const GENERATIONS = ['1.x', '2.x'] as const
export const ROADS = ['stdio', 'HTTP'] as const
export type Generation = (typeof GENERATIONS)[number]
export type Road = (typeof ROADS)[number]

export const AGENTS = GENERATIONS.flatMap((generation) => ROADS.map((road) => ({ generation, road })))

const WHO = { name: 'agent-for-tests', version: '1.0.0' }

export async function connectAgent(generation: Generation, road: Road, reach: Reach): Promise<Agent> {
  return generation === '1.x' ? await connectOld(road, reach) : await connectNew(road, reach)
}

async function connectOld(road: Road, reach: Reach): Promise<Agent> {
  const client = new OldClient(WHO)
  const stdio = road === 'stdio' ? new OldStdio(processOf(reach)) : undefined
  await client.connect(stdio ?? httpOf(OldHttp, reach))
  return {
    serverName: () => client.getServerVersion()?.name,
    listTools: async () => (await client.listTools()).tools as readonly ListedTool[],
    call: async (name, given = {}, options = {}) =>
      (await client.callTool({ name, arguments: given }, undefined, options as object)) as ToolResult,
    pid: () => stdio?.pid ?? null,
    [Symbol.asyncDispose]: () => client.close(),
  }
}

async function connectNew(road: Road, reach: Reach): Promise<Agent> {
  const client = new NewClient(WHO, { versionNegotiation: { mode: 'auto' } })
  const stdio = road === 'stdio' ? new NewStdio(processOf(reach)) : undefined
  await client.connect(stdio ?? httpOf(NewHttp, reach))
  return {
    serverName: () => client.getServerVersion()?.name,
    listTools: async () => (await client.listTools()).tools as readonly ListedTool[],
    call: async (name, given = {}, options = {}) =>
      (await client.callTool({ name, arguments: given }, options as object)) as ToolResult,
    pid: () => stdio?.pid ?? null,
    [Symbol.asyncDispose]: () => client.close(),
  }
}

function processOf({ command: [command = '', ...args], cwd, env }: Reach) {
  return { command, args, cwd, env, stderr: 'ignore' as const }
}

function httpOf<T>(Transport: new (url: URL, options: object) => T, { url, headers = {} }: Reach): T {
  return new Transport(new URL('/mcp', url), { requestInit: { headers } })
}

/** The words of an answer. */
export function textOf({ content }: ToolResult): string {
  return content.map(({ text = '' }) => text).join('\n')
}
