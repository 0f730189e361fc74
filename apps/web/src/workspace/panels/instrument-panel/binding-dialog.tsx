import type { Device } from '@patchbay/contracts/devices'
import { type DeviceBindings, MOST_BOUND } from '@patchbay/contracts/panels'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Select } from '../../../components/select.tsx'
import { type ChannelAddress, findChannel, splitAddress } from '../../devices/addresses.ts'
import { isEligible, propose, type RoleOf, scoreOf } from './bindings.ts'
import styles from './instrument-panel.module.css'
import { words } from './words.ts'

type Bindings = Readonly<Record<string, readonly ChannelAddress[]>>

interface BindingDialogProps {
  roles: readonly RoleOf[]
  devices: readonly Device[]
  bindings: Bindings
  onSave: (bindings: DeviceBindings | null) => void
  close: () => void
}

const NOTHING = ''

/** Which channel plays which part. Choosing a device proposes its own; what was bound of others stays until it is replaced. */
export function BindingDialog({ roles, devices, bindings, onSave, close }: BindingDialogProps) {
  const [chosen, setChosen] = useState<Bindings>(bindings)
  const [deviceName, setDeviceName] = useState(() => firstDevice(bindings) ?? devices[0]?.name)
  const device = devices.find(({ name }) => name === deviceName)
  const bind = (role: string, addresses: readonly ChannelAddress[]) =>
    setChosen((before) => ({ ...before, [role]: addresses }))
  const fill = () => {
    if (device === undefined) return
    const proposed = proposeParts(roles, device)
    setChosen((before) => ({ ...before, ...proposed }))
  }
  return (
    <Dialog
      isOpen
      onOpenChange={close}
      title={words.bind.title}
      renderActions={() => (
        <>
          <Button variant="ghost" onPress={close}>
            {words.bind.cancel}
          </Button>
          <Button
            variant="primary"
            onPress={() => {
              onSave(stateOf(roles, chosen))
              close()
            }}
          >
            {words.bind.save}
          </Button>
        </>
      )}
    >
      <div className={styles.parts}>
        <p>{words.bind.lead}</p>
        <div className={styles.source}>
          <Select
            label={words.bind.device}
            options={devices.map(({ name, title }) => ({ id: name, label: title }))}
            value={deviceName ?? null}
            onChange={(id) => setDeviceName(String(id))}
          />
          <Button onPress={fill} isDisabled={device === undefined}>
            {words.bind.propose}
          </Button>
        </div>
        {roles.map((role) => (
          <Part
            key={role.name}
            role={role}
            devices={devices}
            device={device}
            bound={chosen[role.name] ?? []}
            onBind={(addresses) => bind(role.name, addresses)}
          />
        ))}
      </div>
    </Dialog>
  )
}

interface PartProps {
  role: RoleOf
  devices: readonly Device[]
  device: Device | undefined
  bound: readonly ChannelAddress[]
  onBind: (addresses: readonly ChannelAddress[]) => void
}

function Part({ role, devices, device, bound, onBind }: PartProps) {
  const { title, isSeveral, match } = role
  const label = match.isOptional === true ? title : `${title} (${words.bind.needed})`
  const offered = (device?.channels ?? [])
    .filter((channel) => isEligible(match, channel))
    .toSorted((a, b) => scoreOf(match, b) - scoreOf(match, a))
    .map((channel): ChannelAddress => `${device?.name ?? ''}/${channel.name}`)
  const addresses = [...new Set([...bound, ...offered])]
  const inWords = (address: ChannelAddress) => {
    const { device: of, channel } = findChannel(devices, address)
    return of === undefined || channel === undefined
      ? words.bind.gone(address)
      : words.bind.channel(of.title, channel.title)
  }
  if (!isSeveral)
    return (
      <Select
        label={label}
        options={[
          { id: NOTHING, label: words.bind.nothing },
          ...addresses.map((address) => ({ id: address, label: inWords(address) })),
        ]}
        value={bound[0] ?? NOTHING}
        onChange={(id) => onBind(addresses.filter((address) => address === id))}
      />
    )
  return (
    <fieldset className={styles.several}>
      <legend>{label}</legend>
      {addresses.map((address) => (
        <Checkbox
          key={address}
          isSelected={bound.includes(address)}
          isDisabled={!bound.includes(address) && bound.length >= MOST_BOUND}
          onChange={(isBound) =>
            onBind(isBound ? [...bound, address] : bound.filter((each) => each !== address))
          }
        >
          {inWords(address)}
        </Checkbox>
      ))}
      {addresses.length === 0 && <p>{words.bind.nothing}</p>}
      {bound.length >= MOST_BOUND && <p>{words.bind.most(MOST_BOUND)}</p>}
    </fieldset>
  )
}

function firstDevice(bindings: Bindings): string | undefined {
  const [address] = Object.values(bindings).flat()
  return address === undefined ? undefined : splitAddress(address).device
}

/** Also of a device that lacks what the panel needs: what it has is bound. */
function proposeParts(roles: readonly RoleOf[], device: Device): Bindings {
  const all = roles.map((role) => ({ ...role, match: { ...role.match, isOptional: true as const } }))
  return Object.fromEntries(
    Object.entries(propose(all, device) ?? {}).map(([role, bound]) => [
      role,
      (typeof bound === 'string' ? [bound] : bound) as readonly ChannelAddress[],
    ]),
  )
}

function stateOf(roles: readonly RoleOf[], chosen: Bindings): DeviceBindings | null {
  const bindings = roles.flatMap(({ name, isSeveral }) => {
    const addresses = chosen[name] ?? []
    const [first] = addresses
    return first === undefined ? [] : [[name, isSeveral ? addresses : first] as const]
  })
  return bindings.length === 0 ? null : Object.fromEntries(bindings)
}
