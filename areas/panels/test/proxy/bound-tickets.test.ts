import { connect as dial } from 'node:net'
import { type Connector, createOutbound, type Lookup } from '@patchbay/kernel/outbound'
import { expect, test } from 'vitest'
import { type Site, servePage, startSite, type WayOut } from './sites.ts'
import { startProxy } from './start-proxy.ts'

const PUBLIC = '93.184.215.14'

/**
 * An installation whose operator opened its own network: `*.inside.example` is there, everything else is on the internet.
 * Both are the same server on loopback; what counts is the address that the guard was told.
 */
function openIntranet(site: Site, lookup: Lookup = lookUp): WayOut {
  const dialled: string[] = []
  const connect: Connector = ({ hostname }, callback) => {
    dialled.push(hostname)
    const socket = dial({ host: '127.0.0.1', port: site.port })
    socket.once('connect', () => callback(null, socket)).once('error', (error) => callback(error, null))
    return socket
  }
  return {
    outbound: createOutbound({ userAgent: 'test', allowedNetworks: ['10.0.0.0/8'], connect, lookup }),
    dialled,
  }
}

const lookUp: Lookup = async (name) => [name.endsWith('.inside.example') ? '10.0.0.7' : PUBLIC]

test('[D-300] S1: a page of the web that passes its ticket on has nothing fetched from inside', async () => {
  await using site = await startSite(servePage('<p>payroll'))
  await using node = await startProxy({ way: openIntranet(site) })
  const ticket = await node.openTicket({ url: 'http://evil.example/' })
  // What the page reads from its own address, and its owner asks for without a browser.
  for (const target of ['http://wiki.inside.example/', 'http://10.0.0.7/', 'http://10.0.0.7:8080/'])
    expect((await fetch(ticket + encodeURIComponent(target))).status).toBe(403)
  expect(node.dialled).toEqual([])
  expect((await fetch(`${ticket}${encodeURIComponent('http://other.example/')}`)).status).toBe(200)
  expect(node.dialled).toEqual([PUBLIC])
})

test('[D-300] where the person went inside, that host is shown and no other, not by a redirect either', async () => {
  await using site = await startSite((request, response) => {
    if (request.url === '/on') response.writeHead(302, { location: 'http://payroll.inside.example/' }).end()
    else servePage('<p>wiki')(request, response)
  })
  await using node = await startProxy({ way: openIntranet(site) })
  const ticket = await node.openTicket({ url: 'http://wiki.inside.example/' })
  const statusOf = async (target: string) => (await fetch(ticket + encodeURIComponent(target))).status
  expect(await statusOf('http://wiki.inside.example/page')).toBe(200)
  expect(await statusOf('http://payroll.inside.example/')).toBe(403)
  expect(await statusOf('http://wiki.inside.example:8080/')).toBe(403)
  expect(await statusOf('http://wiki.inside.example/on')).toBe(403)
  expect(node.dialled).toEqual(['10.0.0.7', '10.0.0.7'])
})

test('[D-300] a name that was on the web when the person went there does not lead inside later', async () => {
  await using site = await startSite(servePage('<p>payroll'))
  let address = PUBLIC
  await using node = await startProxy({ way: openIntranet(site, async () => [address]) })
  const ticket = await node.openTicket({ url: 'http://evil.example/' })
  address = '10.0.0.7'
  expect((await fetch(`${ticket}${encodeURIComponent('http://evil.example/')}`)).status).toBe(403)
  expect(node.dialled).toEqual([])
})

test('[D-300] without an address a ticket shows the web alone; one that is none is refused', async () => {
  await using site = await startSite(servePage('<p>here'))
  await using node = await startProxy({ way: openIntranet(site) })
  const ticket = await node.openTicket()
  expect((await fetch(`${ticket}${encodeURIComponent('http://wiki.inside.example/')}`)).status).toBe(403)
  await expect(node.openTicket({ url: 'file:///etc/passwd' })).rejects.toThrow('400')
})

test('[D-301] a ticket is worth nothing from another network', async () => {
  await using site = await startSite(servePage('<p>here'))
  await using node = await startProxy({ way: openIntranet(site) })
  const ticket = await node.openTicket({ url: 'http://site.example/' })
  await node.db.updateTable('proxy_tickets').set({ network: '203.0.113.9' }).execute()
  expect((await fetch(`${ticket}${encodeURIComponent('http://site.example/')}`)).status).toBe(403)
  expect(node.dialled).toEqual([])
})

test('[D-301] both loopback addresses of a machine are one network', async () => {
  await using site = await startSite(servePage('<p>here'))
  await using node = await startProxy({ way: openIntranet(site) })
  const ticket = await node.openTicket({ url: 'http://site.example/' })
  await node.db.updateTable('proxy_tickets').set({ network: '0:0:0:0::/64' }).execute()
  expect((await fetch(`${ticket}${encodeURIComponent('http://site.example/')}`)).status).toBe(200)
})

test('[D-302] S4: a ticket ends with the session that it was given to', async () => {
  await using site = await startSite(servePage('<p>here'))
  await using node = await startProxy({ way: openIntranet(site) })
  const page = `${await node.openTicket({ url: 'http://site.example/' })}${encodeURIComponent('http://site.example/')}`
  expect((await fetch(page)).status).toBe(200)
  node.access.endSession('ada')
  expect((await fetch(page)).status).toBe(403)
  expect(node.dialled).toHaveLength(1)
})
