// Run as a process of its own: whatever keeps it alive after its login has ended was left behind by the library.
import { login } from '@patchbay/client'

const [, , baseUrl = '', transport = 'auto', abortAfterMs = '0', pollIntervalMs = '2000'] = process.argv
const controller = new AbortController()
if (abortAfterMs !== '0') setTimeout(() => controller.abort(), Number(abortAfterMs))
try {
  const { sessionToken } = await login({
    baseUrl,
    transport: transport === 'poll' ? 'poll' : 'auto',
    signal: controller.signal,
    pollIntervalMs: Number(pollIntervalMs),
    onPrompt: ({ authUrl }) => {
      process.stdout.write(`open ${authUrl}\n`)
    },
  })
  process.stdout.write(`ended ${sessionToken.slice(0, 4)}\n`)
} catch (error) {
  process.stdout.write(`ended ${(error as { code?: string }).code}\n`)
}
