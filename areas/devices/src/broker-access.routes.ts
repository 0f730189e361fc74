import { createHash, timingSafeEqual } from 'node:crypto'
import { Problem } from '@patchbay/contracts/core'
import { mayPublish, maySubscribe } from '@patchbay/device-kit'
import type { HttpApp } from '@patchbay/kernel/http'
import type { Secret } from '@patchbay/kernel/log'
import type { BrokerPolicy } from './broker.ts'
import type { DevicesDeps } from './deps.ts'

export interface BrokerAccessDeps extends Pick<DevicesDeps, 'bus'> {
  readonly secret: Secret
  readonly policy: BrokerPolicy
}

const FORM = 'application/x-www-form-urlencoded'
const LONGEST_FORM_BYTES = 8 * 1024
const DEADLINE_MS = 5_000
/** Of one device; each leaves a queue behind at the broker for a while. RabbitMQ asks twice. */
const LOGINS = { max: 60, windowMs: 60_000 }
/** What MQTT is in RabbitMQ, as deploy/rabbitmq/rabbitmq.conf has it. */
const VHOST = '/'
const EXCHANGE = 'amq.topic'
const QUEUE = /^mqtt-subscription-(.*)qos[01]$/
/** RabbitMQ makes one up for a client that has none. */
const MADE_UP_CLIENT_ID = /^[\w-]{22}$/
const OWN_CLIENT_ID = /^(?:-[\w-]{1,9})?$/

/** RabbitMQ asks here who may do what (rabbitmq_auth_backend_http). Only it knows the addresses: the secret is part of them. */
export async function registerBrokerAccess(
  app: HttpApp,
  { secret, policy, bus }: BrokerAccessDeps,
): Promise<void> {
  async function mayConnect(form: URLSearchParams): Promise<boolean> {
    const [username, clientId] = [form.get('username') ?? '', form.get('client_id') ?? '']
    const device = await policy.authenticate(username, form.get('password') ?? '')
    if (device === undefined || !isOwnClientId(username, clientId)) return false
    const { allowed } = await bus.rateLimit.hit(`device-login:${device.id}`, LOGINS)
    if (allowed) policy.connected(device)
    return allowed
  }

  async function mayUseTopic(form: URLSearchParams): Promise<boolean> {
    if (form.get('name') !== EXCHANGE) return false
    const device = await policy.find(form.get('username') ?? '')
    if (device === undefined) return false
    const topic = topicOfRoutingKey(form.get('routing_key') ?? '')
    return form.get('permission') === 'write'
      ? mayPublish(device.topic, topic)
      : maySubscribe(device.topic, topic)
  }

  const questions: Readonly<Record<string, (form: URLSearchParams) => boolean | Promise<boolean>>> = {
    user: mayConnect,
    vhost: (form) => form.get('vhost') === VHOST,
    resource: mayUseResource,
    topic: mayUseTopic,
  }

  await app.register(async (scope: HttpApp) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      FORM,
      { parseAs: 'string', bodyLimit: LONGEST_FORM_BYTES },
      (_request, body, done) => done(null, body),
    )
    for (const [name, isAllowed] of Object.entries(questions))
      scope.post<{ Params: { secret: string } }>(
        `/broker/:secret/${name}`,
        { config: { deadlineMs: DEADLINE_MS, bodyLimit: LONGEST_FORM_BYTES } },
        async (request, reply) => {
          if (!isSame(request.params.secret, secret.reveal())) throw new Problem('not_found')
          const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
          return reply
            .header('cache-control', 'no-store')
            .type('text/plain')
            .send((await isAllowed(form)) ? 'allow' : 'deny')
        },
      )
  })
}

/** A connection with the client id of another one ends that one, so a device has those alone that begin with its username. */
function isOwnClientId(username: string, clientId: string): boolean {
  const isOwn = clientId.startsWith(username) && OWN_CLIENT_ID.test(clientId.slice(username.length))
  return isOwn || MADE_UP_CLIENT_ID.test(clientId)
}

function mayUseResource(form: URLSearchParams): boolean {
  const name = form.get('name') ?? ''
  if (form.get('resource') === 'exchange') return name === EXCHANGE && form.get('permission') !== 'configure'
  const clientId = QUEUE.exec(name)?.[1]
  return (
    form.get('resource') === 'queue' &&
    clientId !== undefined &&
    isOwnClientId(form.get('username') ?? '', clientId)
  )
}

/** MQTT has `/` and `+` where AMQP has `.` and `*`, and what looks the same there is the same. */
function topicOfRoutingKey(key: string): string {
  return key.replaceAll('.', '/').replaceAll('*', '+')
}

const hashOf = (text: string) => createHash('sha256').update(text).digest()
const isSame = (given: string, wanted: string) => timingSafeEqual(hashOf(given), hashOf(wanted))
