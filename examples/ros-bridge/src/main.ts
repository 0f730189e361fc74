import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { startBridge } from './bridge.ts'
import { readMap } from './channel-map.ts'

const USAGE = `ROS_BRIDGE_KEY=<key> node examples/ros-bridge/src/main.ts --rosbridge ws://robot.local:9090 \\
  --broker mqtt://localhost:8799 --username <username> --device pb/ada/bench/rover --map map.json`

const { values } = parseArgs({
  options: {
    rosbridge: { type: 'string', default: 'ws://localhost:9090' },
    broker: { type: 'string', default: 'mqtt://localhost:8799' },
    username: { type: 'string' },
    device: { type: 'string' },
    map: { type: 'string' },
  },
})
// Not an argument: those are seen by everybody on the machine.
const key = process.env['ROS_BRIDGE_KEY']
const { username, device: topic, map: path, rosbridge, broker } = values
if (key === undefined || username === undefined || topic === undefined || path === undefined) {
  console.error(USAGE)
  process.exit(2)
}
const map = readMap(await readFile(path, 'utf8'))
const bridge = startBridge({ rosbridge, broker, username, key, topic, map, log: console.log })
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void bridge.close().then(() => process.exit(0)))
