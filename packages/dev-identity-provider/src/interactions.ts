import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { accountPage, consentPage, messagePage, type OidcAccount, PAGE_HEADERS } from './pages.ts'

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

const PATH = /^\/interaction\/[\w-]+(?:\/(login|consent|switch|abort))?$/
const MOST_FORM_BYTES = 4_096

/** Answers the pages between "sign in" and "signed in". `false` means the request is the provider's own. */
export async function answerInteraction(
  provider: Provider,
  accounts: ReadonlyMap<string, OidcAccount>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const match = PATH.exec(new URL(request.url ?? '/', provider.issuer).pathname)
  if (match === null) return false
  const interaction = await provider.interactionDetails(request, response).catch(() => undefined)
  if (interaction === undefined) {
    send(response, 400, messagePage('This sign-in has ended', 'Go back to the application and start again.'))
    return true
  }
  const action = match[1]
  if (request.method === 'GET' && action === undefined) {
    send(response, 200, await showPrompt(provider, accounts, interaction))
  } else if (request.method === 'POST' && action !== undefined) {
    await submit(provider, accounts, interaction, action, request, response)
  } else {
    send(response, 405, messagePage('Not possible', 'This page takes only its own form.'))
  }
  return true
}

async function showPrompt(
  provider: Provider,
  accounts: ReadonlyMap<string, OidcAccount>,
  interaction: Interaction,
): Promise<string> {
  const client = await provider.Client.find(String(interaction.params.client_id))
  const clientName = client?.clientName ?? client?.clientId ?? 'the application'
  const account = accounts.get(interaction.session?.accountId ?? '')
  if (interaction.prompt.name !== 'consent' || account === undefined) {
    return accountPage(interaction.uid, clientName, [...accounts.values()])
  }
  const { scope } = interaction.params
  return consentPage(interaction.uid, clientName, account, typeof scope === 'string' ? scope.split(' ') : [])
}

async function submit(
  provider: Provider,
  accounts: ReadonlyMap<string, OidcAccount>,
  interaction: Interaction,
  action: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const finish = (result: Parameters<Provider['interactionFinished']>[2]) =>
    provider.interactionFinished(request, response, result)
  const { name: prompt } = interaction.prompt
  const accountId = interaction.session?.accountId
  if (action === 'abort') {
    return finish({ error: 'access_denied', error_description: 'The request was declined' })
  }
  if (action === 'switch') {
    response.writeHead(303, { location: askAgain(interaction) }).end()
    return
  }
  if (action === 'consent' && prompt === 'consent' && accountId !== undefined) {
    return finish({ consent: { grantId: await saveGrant(provider, interaction, accountId) } })
  }
  const chosen = (await readForm(request)).get('account') ?? ''
  if (action === 'login' && prompt === 'login' && accounts.has(chosen)) {
    if (accountId !== undefined && accountId !== chosen) await leaveSession(provider, interaction)
    return finish({ login: { accountId: chosen } })
  }
  send(response, 400, messagePage('Not possible', 'Go back and choose one of the accounts.'))
}

/** Left to itself, the library ends the former account's session with a page that submits itself by script. */
async function leaveSession(provider: Provider, interaction: Interaction): Promise<void> {
  const session = await provider.Session.findByUid(interaction.session?.uid ?? '')
  await session?.destroy()
  delete interaction.session
  await interaction.persist()
}

async function saveGrant(provider: Provider, interaction: Interaction, accountId: string): Promise<string> {
  const known = interaction.grantId === undefined ? undefined : await provider.Grant.find(interaction.grantId)
  const grant = known ?? new provider.Grant({ accountId, clientId: String(interaction.params.client_id) })
  const { missingOIDCScope, missingOIDCClaims } = interaction.prompt.details
  if (Array.isArray(missingOIDCScope)) grant.addOIDCScope(missingOIDCScope.join(' '))
  if (Array.isArray(missingOIDCClaims)) grant.addOIDCClaims(missingOIDCClaims)
  return grant.save()
}

/** The same request once more, with the account chooser forced. */
function askAgain({ params }: Interaction): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) if (typeof value === 'string') query.set(name, value)
  const prompts = new Set((query.get('prompt') ?? '').split(' ').filter((prompt) => prompt !== ''))
  query.set('prompt', [...prompts.add('login')].join(' '))
  return `/auth?${query.toString()}`
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > MOST_FORM_BYTES) break
  }
  return new URLSearchParams(text.slice(0, MOST_FORM_BYTES))
}

function send(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, PAGE_HEADERS).end(html)
}
