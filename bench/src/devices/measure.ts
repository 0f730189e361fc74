import type { HeldMemory } from '../memory.ts'
import type { Rounds } from '../report.ts'
import { type Level, measureConnected, measureSlope, type SlopeSizes } from './connected.ts'
import { type Delivery, type DeliverySizes, measureDelivery } from './delivery.ts'
import { DEVICES_OF_PLACE, type SideName, startFleet } from './fleet.ts'
import { measureRecording, type RecordingFigures, type RecordingSizes } from './recording.ts'
import { measureStops, type StopSizes, type StopTimes } from './stopping.ts'

export interface Sizes {
  readonly recording: RecordingSizes
  readonly delivery: DeliverySizes
  readonly connected: { readonly devices: number; readonly rounds: number }
  readonly stops: StopSizes
  readonly slope: SlopeSizes
}

export interface Figures {
  readonly recording: RecordingFigures
  readonly delivery: Rounds<SideName, Delivery>
  readonly connected: Rounds<SideName, HeldMemory>
  readonly stops: StopTimes
  readonly slope: readonly Level[]
}

export async function measureDevices(sizes: Sizes): Promise<Figures> {
  console.log('Recording: COPY, the writer of the library and the recorder in turns …')
  const recording = await measureRecording(sizes.recording)
  const most = Math.max(
    DEVICES_OF_PLACE,
    sizes.delivery.devices,
    sizes.connected.devices,
    ...sizes.slope.levels,
  )
  await using fleet = await startFleet(most)
  console.log('Values to pages: the relay and the server in turns …')
  const delivery = await measureDelivery(fleet, sizes.delivery)
  console.log('Emergency stops under load …')
  const stops = await measureStops(fleet, sizes.stops)
  console.log('Connected devices: aedes and the server in turns …')
  const connected = await measureConnected(fleet, sizes.connected)
  console.log(`More and more devices: ${sizes.slope.levels.join(', ')} …`)
  return { recording, delivery, stops, connected, slope: await measureSlope(fleet, sizes.slope) }
}
