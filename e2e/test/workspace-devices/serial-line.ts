import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { DeviceValue } from '@patchbay/contracts/devices'
import { INFO, STOP } from '@patchbay/device-kit'
import type { SimulatedDevice } from '@patchbay/device-kit/simulation'
import { type Browser, findChromium, type Page, startChromium } from '@patchbay/testkit/chromium'
import { startProcess } from '@patchbay/testkit/processes'

/** The port that the browser believes to see: it lists those of the machine. */
const PORT = '/dev/ttyS0'
const POLICIES = '/etc/chromium'
// A name of its own: the check of binaries would look for a package of this name.
const TERMINAL = 'script'

/** Why no line can be had here, for who reads what was skipped. */
export function missingForLine(): string | undefined {
  if (process.getuid?.() !== 0) return 'mounting needs root'
  if (!existsSync(PORT) || !existsSync('/sys/class/tty/ttyS0/device')) return `there is no ${PORT}`
  if (!existsSync(POLICIES)) return `there is no ${POLICIES}`
  if (findChromium({ isWhole: true }) === undefined) return 'there is no Chromium with windows'
  if (spawnSync(TERMINAL, ['--version']).status !== 0) return 'there is no script'
  const { status } = spawnSync('unshare', ['--mount', 'mount', '--bind', '/dev/null', PORT])
  return status === 0 ? undefined : 'nothing can be mounted'
}

/** A serial line whose far end is the test. */
export interface SerialLine extends AsyncDisposable {
  /** The terminal that is its near end. */
  readonly path: string
  say(text: string): void
  /** The lines that were received. */
  readonly heard: readonly string[]
  onLine(listener: (line: string) => void): void
}

export async function openSerialLine(): Promise<SerialLine> {
  // It keeps the terminal open, and what goes over it as it is.
  const line = startProcess(TERMINAL, ['-qfc', 'tty; stty raw -echo; exec sleep infinity', '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { stdin, stdout } = line.child
  if (stdin === null || stdout === null) throw new Error('the line has no far end')
  const heard: string[] = []
  const listeners = new Set<(line: string) => void>()
  const path = await new Promise<string>((resolve) => {
    let isFirst = true
    createInterface({ input: stdout }).on('line', (text) => {
      if (isFirst) resolve(text.trim())
      else {
        heard.push(text)
        for (const listener of listeners) listener(text)
      }
      isFirst = false
    })
  })
  stdin.on('error', () => undefined)
  return {
    path,
    heard,
    say: (text) => void stdin.write(text),
    onLine: (listener) => void listeners.add(listener),
    [Symbol.asyncDispose]: () => line.kill('SIGKILL'),
  }
}

/**
 * A Chromium in which the near end is a serial port that these pages may use. What it sees of the machine is its own: the
 * port and its policies are mounted for it alone.
 */
export async function chromiumOnLine({ path }: SerialLine, origin: string): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-serial-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const policy = join(folder, 'serial.json')
  await writeFile(policy, JSON.stringify({ SerialAllowAllPortsForUrls: [origin] }))
  const mounts = [
    `mount --bind '${path}' ${PORT}`,
    `mount -t tmpfs none ${POLICIES}`,
    `mkdir -p ${POLICIES}/policies/managed`,
    `cp '${policy}' ${POLICIES}/policies/managed/`,
  ].join(' && ')
  const starter = join(folder, 'chromium')
  const start = `${mounts} && exec "${findChromium({ isWhole: true })}" "$@"`
  await writeFile(
    starter,
    `#!/bin/sh\nexec unshare --mount sh -c '${start.replaceAll("'", `'\\''`)}' sh "$@"\n`,
    {
      mode: 0o755,
    },
  )
  return await startChromium({ executablePath: starter, isWhole: true })
}

/**
 * As if the page had connected the board before. For a new board the browser asks, and nobody is there to answer; its policy
 * stands for who has answered then.
 */
export async function rememberBoard(page: Page, workspace: string, name: string): Promise<void> {
  const known = [{ name, speed: 115_200, kind: {} }]
  await page.addInitScript(([key, text]) => localStorage.setItem(key, text), [
    `patchbay.boards:${workspace}`,
    JSON.stringify(known),
  ] as const)
}

const STEP_MS = 100
const DESCRIBED_EVERY = 10

/** A simulated device at the far end, which says and does what a sketch would. */
export function runOnLine(line: SerialLine, device: SimulatedDevice): Disposable {
  let steps = 0
  line.onLine((text) => {
    const at = text.indexOf('=')
    const [name, value] = [text.slice(0, at), text.slice(at + 1)]
    if (name === STOP) {
      if (value === 'true') device.stop()
      else device.release()
    } else if (at > 0) device.command(name, readValue(value))
  })
  const timer = setInterval(() => {
    if (steps % DESCRIBED_EVERY === 0) line.say(`${INFO}=${JSON.stringify(device.info)}\n`)
    steps += 1
    device.step(STEP_MS / 1_000)
    for (const [channel, value] of Object.entries(device.values()))
      line.say(`${channel}=${JSON.stringify(value)}\n`)
  }, STEP_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

function readValue(text: string): DeviceValue {
  if (text === 'ON' || text === 'OFF') return text === 'ON'
  try {
    return JSON.parse(text) as DeviceValue
  } catch {
    return text
  }
}
