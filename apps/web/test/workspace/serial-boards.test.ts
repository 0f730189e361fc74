import { SERIAL_BYTES_PER_SECOND } from '@patchbay/device-kit'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import type { BoardValue } from '../../src/workspace/serial/board.ts'
import { createConsoleLines, MOST_LINES } from '../../src/workspace/serial/console-lines.ts'
import type { BoardMemory, RememberedBoard } from '../../src/workspace/serial/remembered-boards.ts'
import { createSerialBoards, type SerialBoards } from '../../src/workspace/serial/serial-boards.ts'
import { memoryPort, memorySerial } from './memory-port.ts'

const INFO = {
  components: {
    speed: { platform: 'number', command_topic: true, min: 0, max: 10, device_class: 'motor' },
    lamp: { platform: 'switch', command_topic: true },
    note: { platform: 'text', command_topic: true },
    heat: { unit_of_measurement: '°C' },
  },
}
const DESCRIPTION = `$info=${JSON.stringify(INFO)}\n`
const HEARD = { hearsOfStop: true, isStopped: false }
const STOPPED = { hearsOfStop: true, isStopped: true }

function memoryOf(...boards: RememberedBoard[]): BoardMemory & { kept: readonly RememberedBoard[] } {
  const memory = {
    kept: boards as readonly RememberedBoard[],
    read: () => memory.kept,
    write(next: readonly RememberedBoard[]) {
      memory.kept = next
    },
  }
  return memory
}

/** A page with the board `uno` connected. */
async function connected({ mayChange = true } = {}) {
  const serial = memorySerial()
  const board = memoryPort()
  const memory = memoryOf()
  const page = { mayChange }
  const boards = createSerialBoards({
    serial,
    memory,
    mayChange: () => page.mayChange,
    now: () => Date.now(),
  })
  const values: BoardValue[][] = []
  boards.followValues((_name, next) => values.push([...next]))
  serial.chosen = board.port
  expect(await boards.add('uno', 9_600)).toBeUndefined()
  boards.hear(HEARD)
  return { serial, board, memory, page, boards, values }
}

const uno = (boards: SerialBoards) => boards.getSnapshot().boards.find(({ name }) => name === 'uno')

async function described() {
  const rig = await connected()
  await rig.board.say(DESCRIPTION)
  await expect.poll(() => uno(rig.boards)?.channels.length).toBe(4)
  return rig
}

test('[W-800] the browser asks for the port of a new board; whoever chooses none has connected nothing', async () => {
  const serial = memorySerial()
  const boards = createSerialBoards({ serial, memory: memoryOf(), mayChange: () => true, now: () => 0 })
  expect(await boards.add('uno', 9_600)).toBeUndefined()
  expect(boards.getSnapshot().boards).toEqual([])
  // Also where one was let before: it may be another board.
  const [known, chosen] = [memoryPort(), memoryPort()]
  serial.permitted = [known.port]
  serial.chosen = chosen.port
  await boards.add('uno', 9_600)
  expect(serial.asked).toHaveLength(2)
  expect(known.opened.times).toBe(0)
  expect(chosen.opened).toEqual({ speed: 9_600, times: 1 })
  expect(uno(boards)?.state).toBe('open')
})

test('[W-800] a name is taken once, a port is used once, and what cannot be opened is no board', async () => {
  const { serial, board, boards, memory } = await connected()
  expect(await boards.add('uno', 9_600)).toContain('has a device')
  expect(await boards.add('due', 9_600)).toContain('uno')
  const gone = memoryPort()
  gone.unplug()
  serial.chosen = gone.port
  expect(await boards.add('due', 9_600)).toContain('could not be opened')
  expect(boards.getSnapshot().boards.map(({ name }) => name)).toEqual(['uno'])
  expect(memory.kept.map(({ name }) => name)).toEqual(['uno'])
  expect(board.opened.times).toBe(1)
})

test('[W-801] a known board is opened again without a question, unless two of its kind are there', async () => {
  const { board, boards, memory, serial } = await connected()
  expect(memory.kept).toEqual([
    { name: 'uno', speed: 9_600, kind: { usbVendorId: 0x2341, usbProductId: 0x43 } },
  ])
  await boards.close('uno')
  expect(uno(boards)?.state).toBe('closed')
  const later = createSerialBoards({ serial, memory, mayChange: () => true, now: () => 0 })
  expect(uno(later)?.state).toBe('closed')
  await later.open('uno')
  expect(uno(later)?.state).toBe('open')
  expect(serial.asked).toHaveLength(1)
  await later.close('uno')
  serial.permitted = [board.port, memoryPort().port]
  await later.open('uno')
  expect(serial.asked.at(-1)).toEqual({ filters: [{ usbVendorId: 0x2341, usbProductId: 0x43 }] })
})

test('[W-801] what is plugged in again is connected by itself, but not what was disconnected', async () => {
  const { board, boards, serial } = await connected()
  board.unplug()
  await expect.poll(() => uno(boards)?.state).toBe('lost')
  expect(uno(boards)?.problem).toBe('The board was unplugged.')
  const again = memoryPort()
  serial.permitted = []
  serial.plugIn(again.port)
  await expect.poll(() => uno(boards)?.state).toBe('open')
  expect(uno(boards)?.problem).toBeUndefined()
  await boards.close('uno')
  serial.plugIn(again.port)
  await expect.poll(() => uno(boards)?.state).toBe('closed')
  expect(again.opened.times).toBe(1)
})

test('[W-801] what is forgotten is closed, and the page may not use its port anymore', async () => {
  const { board, boards, memory } = await connected()
  await boards.forget('uno')
  expect(boards.getSnapshot().boards).toEqual([])
  expect(memory.kept).toEqual([])
  expect(board.port.readable).toBeNull()
  expect(board.isForgotten()).toBe(true)
})

test('[W-802] values come 30 times a second at most, the newest of each channel', async () => {
  const { board, values } = await connected()
  const begun = performance.now()
  for (let n = 0; n < 200; n += 1) await board.say(`heat:${n}\n`)
  await expect.poll(() => values.flat().at(-1)?.value).toBe(199)
  const most = ((performance.now() - begun) / 1_000) * 30 + 1
  expect(values.length).toBeLessThanOrEqual(most)
  for (const each of values) expect(each).toHaveLength(1)
})

test('[W-802] a board that floods is read more slowly, and can be disconnected meanwhile', async () => {
  const { board, boards } = await connected()
  let isAskedForMore = false
  void board.say('x'.repeat(20 * SERIAL_BYTES_PER_SECOND)).then(() => {
    isAskedForMore = true
  })
  await expect.poll(() => boards.lines('uno').length).toBe(1)
  expect(isAskedForMore).toBe(false)
  await boards.close('uno')
  expect(board.port.readable).toBeNull()
})

test('[W-802] noise ends nothing, and the line that it has broken says nothing', async () => {
  const { board, boards, values } = await connected()
  await board.say('heat:2')
  board.disturb()
  await expect.poll(() => board.port.readable?.locked).toBe(true)
  await board.say('1\nheat:22\n')
  await expect.poll(() => values.flat().map(({ value }) => value)).toEqual([22])
  expect(uno(boards)?.state).toBe('open')
})

test('[W-802] 5,000 lines are kept, the latest, each cut; a line without an end is shown as it grows', () => {
  const lines = createConsoleLines()
  for (let n = 0; n < 3 * MOST_LINES; n += 1) lines.take([{ text: `line ${n}`, isCut: false }], n)
  const shown = lines.read('> ', 0)
  expect(shown).toHaveLength(MOST_LINES)
  expect(shown.at(-1)).toMatchObject({ text: '> ', id: 3 * MOST_LINES })
  expect(shown.at(-2)?.text).toBe(`line ${3 * MOST_LINES - 1}`)
  expect(lines.read('> ', 1)).toBe(shown)
  lines.take([{ text: 'y'.repeat(30_000), isCut: false }], 0)
  expect(lines.read('', 0).at(-1)).toMatchObject({ text: `${'y'.repeat(1_000)}…`, id: 3 * MOST_LINES })
})

test('[W-804] values go as lines, by the role of the person and the arming', async () => {
  const { board, boards, page } = await described()
  expect(await boards.send('uno', 'lamp', true)).toBeUndefined()
  expect(board.received()).toBe('lamp=ON\n')
  expect(await boards.send('uno', 'speed', 3)).toEqual({ refusal: 'notArmed' })
  expect(boards.arm('uno', 60)).toBeUndefined()
  expect(await boards.send('uno', 'speed', 3)).toBeUndefined()
  expect(await boards.send('uno', 'speed', 30)).toEqual({ text: '"speed" takes 10 at most.' })
  expect(await boards.send('uno', 'note', 'a\nspeed=9')).toHaveProperty('text')
  expect(await boards.send('uno', 'heat', 1)).toHaveProperty('text')
  boards.disarm('uno')
  expect(await boards.send('uno', 'speed', 4)).toEqual({ refusal: 'notArmed' })
  page.mayChange = false
  expect(await boards.send('uno', 'lamp', false)).toEqual({ refusal: 'mayOnlyLook' })
  expect(await boards.sendText('uno', 'lamp=OFF\n')).toEqual({ refusal: 'mayOnlyLook' })
  expect(boards.arm('uno', 60)).toBe('mayOnlyLook')
  expect(board.received()).toBe('lamp=ON\nspeed=3\n')
})

test('[W-804] an arming ends by itself, and with the connection of the board', async () => {
  const { board, boards } = await described()
  boards.arm('uno', 0.02)
  await expect.poll(() => uno(boards)?.armedUntil).toBeUndefined()
  boards.arm('uno', 60)
  board.unplug()
  await expect.poll(() => uno(boards)?.state).toBe('lost')
  expect(uno(boards)?.armedUntil).toBeUndefined()
})

test('[W-804] text of the console needs the arming that any channel needs, and is shown with what was received', async () => {
  const { board, boards } = await connected()
  expect(await boards.sendText('uno', 'hello\r\n')).toBeUndefined()
  await board.say(DESCRIPTION)
  await expect.poll(() => boards.refusal('uno')).toBe('notArmed')
  expect(await boards.sendText('uno', 'speed=9\n')).toEqual({ refusal: 'notArmed' })
  boards.arm('uno', 60)
  expect(await boards.sendText('uno', 'x'.repeat(5_000))).toHaveProperty('text')
  expect(await boards.sendText('uno', 'speed=9\n')).toBeUndefined()
  expect(board.received()).toBe('hello\r\nspeed=9\n')
  const shown = boards.lines('uno').map(({ direction, text }) => [direction, text.slice(0, 7)])
  expect(shown).toEqual([
    ['out', 'hello\r\n'],
    ['in', '$info={'],
    ['out', 'speed=9'],
  ])
})

deepTest('[W-804] what a board does not take in time is not sent later', async () => {
  const { board, boards } = await described()
  board.takes = false
  const late = boards.send('uno', 'lamp', true)
  const behind = boards.send('uno', 'note', 'x')
  expect(await late).toHaveProperty('text')
  expect(await behind).toHaveProperty('text')
  board.takes = true
  expect(await boards.send('uno', 'lamp', false)).toBeUndefined()
  expect(board.received()).toBe('lamp=OFF\n')
})

test('[W-805] a stop that the server tells reaches the board, disarms it, and nothing else is sent until its release', async () => {
  const { board, boards } = await described()
  boards.arm('uno', 60)
  boards.hear(STOPPED)
  await expect.poll(() => board.received()).toBe('\n$stop=true\n')
  expect(uno(boards)?.armedUntil).toBeUndefined()
  expect(await boards.send('uno', 'lamp', true)).toEqual({ refusal: 'stopped' })
  expect(await boards.sendText('uno', 'x\n')).toEqual({ refusal: 'stopped' })
  expect(boards.arm('uno', 60)).toBe('stopped')
  boards.hear(HEARD)
  await expect.poll(() => board.received()).toBe('\n$stop=true\n\n$stop=false\n')
  expect(await boards.send('uno', 'speed', 3)).toEqual({ refusal: 'notArmed' })
})

test('[W-805] a stop that is pressed here goes ahead of what waits, without the server too', async () => {
  const { board, boards } = await described()
  boards.hear({ ...HEARD, hearsOfStop: false })
  boards.stop()
  await expect.poll(() => board.received()).toBe('\n$stop=true\n')
  // The server, which was not reached, says that nothing is stopped.
  boards.hear(HEARD)
  expect(await boards.send('uno', 'lamp', true)).toEqual({ refusal: 'stopped' })
  boards.release()
  await expect.poll(() => board.received()).toBe('\n$stop=true\n\n$stop=false\n')
  board.takes = false
  const waiting = [boards.send('uno', 'lamp', true), boards.send('uno', 'note', 'x')]
  boards.stop()
  board.takes = true
  for (const each of await Promise.all(waiting)) expect(each).toHaveProperty('text')
  await expect.poll(() => board.received()).toBe('\n$stop=true\n\n$stop=false\n\n$stop=true\n')
})

test('[W-805] while the page cannot hear of a stop, nothing is sent', async () => {
  const { board, boards } = await described()
  boards.arm('uno', 60)
  boards.hear({ ...HEARD, hearsOfStop: false })
  expect(await boards.send('uno', 'lamp', true)).toEqual({ refusal: 'away' })
  expect(await boards.send('uno', 'speed', 3)).toEqual({ refusal: 'away' })
  expect(await boards.sendText('uno', 'x\n')).toEqual({ refusal: 'away' })
  expect(board.received()).toBe('')
})

test('[W-805] a board that is connected or starts during a stop is told of it; without a stop nothing is sent at all', async () => {
  const { board, boards, serial } = await described()
  expect(board.received()).toBe('')
  boards.hear(STOPPED)
  await expect.poll(() => board.received()).toBe('\n$stop=true\n')
  await board.say(DESCRIPTION)
  await expect.poll(() => board.received()).toBe('\n$stop=true\n'.repeat(2))
  const other = memoryPort({ usbVendorId: 1 })
  serial.chosen = other.port
  await boards.add('due', 115_200)
  await expect.poll(() => other.received()).toBe('\n$stop=true\n')
  await other.say('booting\n')
  await expect.poll(() => other.received()).toBe('\n$stop=true\n'.repeat(2))
})
