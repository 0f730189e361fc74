import { freePort } from '@patchbay/testkit/ports'
import { type Browser, insertPeople, insertSessions, openBrowsers } from '../identity/people.ts'
import { MEASURED } from '../memory.ts'
import { inLanes, type RunningNode, startScript } from '../processes.ts'
import { type Database, startDatabase, startServer } from '../server.ts'

/** A device, and how to be it. */
export interface FleetDevice {
  readonly name: string
  readonly username: string
  readonly password: string
  readonly topic: string
  readonly place: number
}

/** A workspace, and the person whose it is. */
export interface FleetPlace extends Browser {
  readonly owner: string
  readonly repo: string
}

export interface Fleet extends AsyncDisposable {
  readonly database: Database
  readonly places: readonly FleetPlace[]
  readonly devices: readonly FleetDevice[]
}

/** As many as a workspace may have. */
export const DEVICES_OF_PLACE = 200
const KEY_DIGITS = 20
const TOGETHER = 8

/** A database with people, workspaces and devices, which are told apart by number: no adding is measured here. */
export async function startFleet(count: number): Promise<Fleet> {
  await using starting = new AsyncDisposableStack()
  const database = starting.use(await startDatabase())
  const { url, client } = database
  await using server = await startServer({ databaseUrl: url })
  await insertPeople(client)
  await insertSessions(client)
  const browsers = await openBrowsers(server.port)
  const places: FleetPlace[] = []
  await inLanes(TOGETHER, Math.ceil(count / DEVICES_OF_PLACE), async (number) => {
    const browser = browsers[number % browsers.length]
    if (browser === undefined) throw new Error('nobody is there')
    const place = { ...browser, owner: `bench-${number % browsers.length}`, repo: `w-${number}` }
    places[number] = place
    const answer = await fetch(addressOf(server.port, place), {
      method: 'PUT',
      headers: asBrowser(server.port, place),
    })
    if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`)
  })
  await client.query(
    `with added as (
      insert into devices (username, key_hash, owner, repo, name, title, channels, actor_kind, actor_name, actor_handle, created_at)
      select 'u' || n, encode(sha256(convert_to('k' || lpad(n::text, ${KEY_DIGITS}, '0'), 'UTF8')), 'hex'),
        'bench-' || (n / $2) % $3, 'w-' || n / $2, 'd' || n % $2, 'd', '[]', 'browser', 'bench', 'bench', now()
      from generate_series(0, $1 - 1) as n returning id, owner, repo, name
    )
    insert into device_places (owner, repo, name, device_id, is_home) select owner, repo, name, id, true from added`,
    [count, DEVICES_OF_PLACE, browsers.length],
  )
  await client.query('analyze')
  const devices = Array.from({ length: count }, (_each, n): FleetDevice => {
    const place = Math.floor(n / DEVICES_OF_PLACE)
    const name = `d${n % DEVICES_OF_PLACE}`
    return {
      name,
      place,
      username: `u${n}`,
      password: `k${String(n).padStart(KEY_DIGITS, '0')}`,
      topic: `pb/bench-${place % browsers.length}/w-${place}/${name}`,
    }
  })
  const running = starting.move()
  return { database, places, devices, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

export const addressOf = (port: number, { owner, repo }: FleetPlace) =>
  `http://127.0.0.1:${port}/api/workspaces/editor/${owner}/${repo}`

export const asBrowser = (port: number, { cookie, csrf }: FleetPlace) => ({
  cookie,
  'x-csrf-token': csrf,
  origin: `http://localhost:${port}`,
})

/** As `relay` it is aedes and ws, as `server` the product. */
export const SIDES = ['relay', 'server'] as const
export type SideName = (typeof SIDES)[number]

export interface Side extends AsyncDisposable {
  readonly name: SideName
  readonly node: RunningNode
  readonly mqttPort: number
}

const RELAY = new URL('./bare-relay.ts', import.meta.url)

/** A fresh process, which answers how much memory it takes. */
export async function startSide(name: SideName, { database }: Fleet): Promise<Side> {
  const mqttPort = await freePort()
  const env = { PATCHBAY_MQTT_PORT: `${mqttPort}`, PATCHBAY_MQTT_CONNECTIONS: '18000' }
  const node = await (name === 'relay'
    ? startScript(RELAY, [`${mqttPort}`], MEASURED)
    : startServer({ databaseUrl: database.url, env, nodeArguments: MEASURED }))
  return { name, node, mqttPort, [Symbol.asyncDispose]: () => node.running.kill('SIGKILL') }
}
