import { expect, test } from 'vitest'
import { takePanels } from '../start.ts'
import { makeWorkspaceOf, verdict } from '../workspaces/current.ts'

const ID = '5b3c0000-0000-4000-8000-000000000000'

test('[D-247] an id of another form is the mistake of whoever sends it', async () => {
  await using node = await takePanels()
  const person = node.as('ada', { kind: 'browser', label: 'chromium' })
  const at = await makeWorkspaceOf(person, 'ada')
  const answers = (id: string) => [
    person.ask(`${at}/screenshots/${id}.png`),
    person.ask(`/api/panels/sandbox/ada/board/evals/${id}`),
    person.send('PUT', `${at}/access/${id}`, { isEnded: true }),
    person.ask(`${at}/captures/${id}`, {
      method: 'PUT',
      headers: { 'content-type': 'image/png' },
      body: 'x',
    }),
  ]
  for (const wrong of [`urn:uuid:${ID}`, '-'.repeat(36), 'a'.repeat(36)])
    for (const answer of answers(wrong)) expect(await verdict(answer)).toBe('400 invalid_request')
  for (const answer of answers(ID)) expect(await verdict(answer)).toBe('404 not_found')
})
