import { localAddress } from '@patchbay/contracts/limits'
import { isLoopbackHost } from '@patchbay/kernel/http'

interface Reach {
  readonly host: string
  readonly port: number
  readonly publicUrl: string | undefined
}

export function publicUrlOf({ publicUrl, port }: Pick<Reach, 'publicUrl' | 'port'>): string {
  return publicUrl ?? localAddress(port)
}

/** Whether only people on this machine can come here: by the address that is given out, and by the one that is bound. */
export function isForThisMachine(config: Reach): boolean {
  return isLoopbackHost(new URL(publicUrlOf(config)).hostname) && isLoopbackHost(config.host)
}
