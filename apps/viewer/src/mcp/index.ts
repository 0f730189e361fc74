export { runMcp } from './run-mcp.ts'
