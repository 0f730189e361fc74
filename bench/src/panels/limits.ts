import { ratio } from '../gateway/turns.ts'
import { GOALS, type PanelFigures } from './figures.ts'

/** Whether the goal was reached, and where the time goes. */
export function panelLimits({ trips }: PanelFigures): string {
  const p50 = ({ p50Ms }: { readonly p50Ms: number }) => p50Ms
  const against = ratio(trips.alone, 'server', 'bare', p50)
  const floor = ratio(trips.alone, 'statements', 'bare', p50)
  const above = ratio(trips.alone, 'server', 'statements', p50)
  const verdict =
    against <= GOALS.p50
      ? 'The goal is reached.'
      : `Not reached: p50 of one action at a time, ${against.toFixed(2)} instead of ${GOALS.p50}.`
  return `${verdict}

The prototype makes four hops and nothing else. An action makes the same four, and before the second it asks PostgreSQL whose the key is and
what the layout is, and has it write, in one transaction, what the panel shall show and who did that. None of it can be left out: a key that was revoked is
over at that moment, and a browser that opens a minute later shows the same page. The middle column is the prototype with the key and the
state as two bare statements and a counter in Redis beside the first, without a framework, a query builder, rights, deadlines or the check that the panel is
still there. It takes ${floor.toFixed(2)} times as long as the echo: this is what the goal would have to be on this machine for a server that costs nothing.

The action takes ${above.toFixed(2)} times as long as that. The rest is processor time, most of it of the node that takes the request: six processes share
two cores, and the largest single part of its profile, two fifths, is handing bytes to sockets, once for every hop. A node wakes the others
for a workspace every 40 ms at most.`
}
