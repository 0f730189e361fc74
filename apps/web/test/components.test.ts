import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { useBench } from './bench.ts'

const bench = useBench()
// Granting one permission denies all others.
const REFUSED = { permissions: ['geolocation'] }
const folder = (name: string) => fileURLToPath(new URL(`../src/${name}/`, import.meta.url))

test('[W-70] every component stands in the gallery', async () => {
  // The frame that the fields share is no component of its own.
  const components = (await readdir(folder('components'))).filter(
    (name) => name.endsWith('.tsx') && name !== 'field.tsx',
  )
  const specimens = (await readdir(folder('gallery'))).filter((name) => name.endsWith('.tsx'))
  const sources = await Promise.all(specimens.map((name) => readFile(folder('gallery') + name, 'utf8')))
  const missing = components.filter(
    (name) => !sources.some((source) => source.includes(`'../components/${name}'`)),
  )
  expect(missing).toEqual([])
})

test('[W-71] a copy field copies its value', async () => {
  await using visit = await bench.share('/components', { permissions: ['clipboard-read', 'clipboard-write'] })
  await visit.page.getByRole('button', { name: 'Copy: Repository address' }).click()
  await visit.page.getByRole('status').getByText('Copied to the clipboard.').waitFor()
  const copied = await visit.page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe('https://packages.example.test/repository.json')
})

deepTest('[W-71] where the clipboard is refused the value is selected', async () => {
  await using visit = await bench.share('/components', REFUSED)
  await visit.page.getByRole('button', { name: 'Copy: Repository address' }).click()
  await visit.page.getByRole('status').getByText('The text is selected').waitFor()
  const selected = await visit.page.evaluate(() => getSelection()?.toString())
  expect(selected).toBe('https://packages.example.test/repository.json')
})

deepTest(
  '[W-71] lines end between words and behind slashes, and what is selected has no trace of it',
  async () => {
    await using visit = await bench.share('/components', REFUSED)
    await visit.page.setViewportSize({ width: 360, height: 740 })
    const field = visit.page
      .getByRole('button', { name: 'Copy: Command' })
      .locator('xpath=..')
      .locator('code')
    const value = 'patchbay install com.example.blinky --server https://packages.example.test/a-team/lamps'
    // A word is as high as one line: none is torn apart where it fits.
    const torn = await field
      .locator('span')
      .evaluateAll((words) =>
        words
          .filter((word) => !word.textContent.includes('/') && word.getBoundingClientRect().height > 30)
          .map((word) => word.textContent),
      )
    expect(torn).toEqual([])
    await visit.page.getByRole('button', { name: 'Copy: Command' }).click()
    await visit.page.getByRole('status').getByText('The text is selected').waitFor()
    expect(await visit.page.evaluate(() => getSelection()?.toString())).toBe(value)
  },
)

test('[W-72] help is announced with the field, and an error in its place', async () => {
  await using visit = await bench.share('/components')
  const field = visit.page.getByRole('textbox', { name: 'Identifier' })
  const announced = () =>
    field.evaluate((input) =>
      (input.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? ''),
    )
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  expect((await announced()).join('')).toContain('Begin with a letter')
  await field.fill('com.example.toolkit')
  await expect.poll(() => field.getAttribute('aria-invalid')).toBeNull()
  expect((await announced()).join('')).toBe('Never changes once published.')
})

test('[W-73] a toast is announced and can be dismissed', async () => {
  await using visit = await bench.share('/components')
  const toast = visit.page.getByRole('alertdialog')
  // On a busy machine it may have gone by itself before it is read: then it is asked for again.
  const announced = async () => {
    await visit.page.getByRole('button', { name: 'Say that it worked' }).click()
    return await toast
      .first()
      .getByRole('alert')
      .innerText({ timeout: 5_000 })
      .catch(() => 'gone')
  }
  await expect.poll(announced, { timeout: 60_000 }).toBe('Version 2.1.0 is published.')
  const count = await toast.count()
  await toast.first().getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(() => toast.count()).toBeLessThan(count)
})

deepTest('[W-73] of four toasts three are shown, the rest wait', async () => {
  await using visit = await bench.share('/components')
  const { page } = visit
  const button = page.getByRole('button', { name: 'Say that it worked' })
  for (let count = 0; count < 4; count += 1) await button.click()
  const toasts = page.getByRole('alertdialog')
  await expect.poll(() => toasts.count()).toBe(3)
  for (const left of [3, 2, 1, 0]) {
    await toasts.first().getByRole('button', { name: 'Dismiss' }).click()
    await expect.poll(() => toasts.count()).toBe(left)
  }
})
