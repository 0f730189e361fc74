import { readdir, readFile } from 'node:fs/promises'
import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { complaints, overflowing } from '../complaints.ts'
import type { Site } from '../site.ts'
import { NARROW, type ShowOptions, soon, usePanelBench } from './panel-bench.ts'
import { answerFiles, type WorkspaceFiles } from './workspace-files.ts'

// The whole browser gives a sandboxed frame a process of its own; the windowless one must be told to.
const panels = usePanelBench({
  args: ['--site-per-process', '--enable-features=IsolateSandboxedIframes'],
  tolerated: /'postMessage' on 'DOMWindow'/,
})
const SAMPLE = new URL('../../src/workspace/panels/curriculum/sample-course/', import.meta.url)
const GUIDE = new URL('../../../../docs/guides/write-a-course.md', import.meta.url)

type Contents = Record<string, string | Buffer>

interface Marks {
  readonly done: Set<string>
  readonly folders: string[]
}

/** Our server, as far as it keeps how far a person is. */
function answerProgress(site: Site, before: readonly string[]): Marks {
  const done = new Set(before)
  const folders: string[] = []
  site.answer(/\/course-progress$/, (request, response) => {
    const send = () => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ done: [...done] }))
    }
    if (request.method === 'GET') {
      folders.push(new URL(request.url ?? '/', site.url).searchParams.get('folder') ?? '')
      return send()
    }
    let text = ''
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    request.on('end', () => {
      const body = JSON.parse(text) as { done?: string[]; notDone?: string[] }
      for (const mark of body.done ?? []) done.add(mark)
      for (const mark of body.notDone ?? []) done.delete(mark)
      send()
    })
    return undefined
  })
  return { done, folders }
}

interface Opening extends ShowOptions {
  readonly done?: readonly string[]
  readonly mayChange?: boolean
}

async function open(contents: Contents, { done = [], mayChange = true, ...options }: Opening = {}) {
  let files: WorkspaceFiles | undefined
  let marks: Marks | undefined
  const visit = await panels.show(
    { kind: 'curriculum', state: { folder: 'course' }, mayChange },
    {
      ...options,
      prepare(site) {
        files = answerFiles(site, contents)
        marks = answerProgress(site, done)
      },
    },
  )
  return { visit, page: visit.page, files: files as WorkspaceFiles, marks: marks as Marks }
}

const title = (page: Page) => page.getByRole('article').getByRole('heading', { level: 2 })
const step = (page: Page, name: string | RegExp) => page.getByRole('group', { name })
const lesson = (head: string, body: string) => `---\n${head}\n---\n\n${body}\n`

async function sampleFiles(): Promise<Contents> {
  const names = await readdir(SAMPLE)
  const entries = names.map(
    async (name) => [`course/${name}`, await readFile(new URL(name, SAMPLE), 'utf8')] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

test('[W-580] lessons stand in the order of their heads, and the first that is not done is shown', async () => {
  const contents = {
    'course/b.md': lesson('title: Second\norder: 2', 'two'),
    'course/a.md': lesson('order: 10\ntitle: "Third: the end"', 'three'),
    'course/z.md': lesson('title: First\norder: 1', 'one'),
    'course/extra.md': '# Without a head\n\nfour',
    'course/notes.txt': 'no lesson',
    'course/deep/other.md': 'no lesson',
  }
  const { visit, page, marks } = await open(contents, { done: ['z.md'] })
  await using _ = visit
  await expect.poll(() => title(page).innerText(), soon).toBe('Second')
  expect(marks.folders).toContain('course')
  await page.getByText('1 of 4 done').waitFor()
  await page.getByRole('button', { name: /Lesson/ }).click()
  expect(await page.getByRole('option').allInnerTexts()).toEqual([
    '✓ First',
    'Second',
    'Third: the end',
    'Without a head',
  ])
  await page.getByRole('option', { name: 'Third: the end' }).click()
  await expect.poll(() => title(page).innerText(), soon).toBe('Third: the end')
  await page.getByRole('button', { name: 'Next lesson' }).first().click()
  await expect.poll(() => title(page).innerText(), soon).toBe('Without a head')
  await page.getByText('four').waitFor()
})

deepTest('[W-581] Markdown becomes text, never HTML, and addresses lead nowhere but to the web', async () => {
  const body = `A <b id="raw">bold</b> **word**, 12:30 and GPIO:LED.

<script>globalThis.hacked = true</script>
<img src="x" onerror="globalThis.hacked = true">

[web](https://example.com/a) [mail](mailto:ada@example.com) [script](javascript:globalThis.hacked=true)
[data](data:text/html,x) [next](b.md) [file](data/readings.csv) [out](../../x)

![outside](https://example.com/x.png) ![vector](x.svg)

| a | b |
| - | - |
| 1 | 2 |

- one
- two
`
  const { visit, page } = await open({ 'course/a.md': body, 'course/b.md': '# Other\n\nhere' })
  await using _ = visit
  const article = page.getByRole('article')
  await article.getByText('bold').waitFor()
  expect(await article.locator('#raw, script, img, b').count()).toBe(0)
  expect(await article.innerText()).toContain('12:30 and GPIO:LED.')
  expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
  const links = await article
    .locator('a')
    .evaluateAll((all) =>
      all.map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('rel')]),
    )
  expect(links).toEqual([
    ['web', 'https://example.com/a', 'noopener noreferrer'],
    ['mail', 'mailto:ada@example.com', 'noopener noreferrer'],
    ['file', '/api/workspaces/editor/ada/rover/files/content?path=course%2Fdata%2Freadings.csv', null],
  ])
  await article.getByText('Picture: outside').waitFor()
  expect(await article.getByRole('row').count()).toBe(2)
  await article.getByRole('button', { name: 'next' }).click()
  await expect.poll(() => title(page).innerText(), soon).toBe('Other')
})

test('[W-581] pictures come from the files of the workspace', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const { visit, page } = await open({
    'course/a.md': '![Wiring](img/wiring.png)',
    'course/img/wiring.png': png,
  })
  await using _ = visit
  await expect.poll(() => page.getByRole('img', { name: 'Wiring' }).count(), soon).toBe(1)
})

deepTest('[W-582] a step runs a file and is done once it ran; one that failed is not', async () => {
  const { visit, page, files, marks } = await open({
    'course/a.md': '::run[Run it]{#go file="blink.py"}',
    'course/blink.py': 'print(1/0)',
  })
  await using _ = visit
  await step(page, 'Run it').getByRole('button', { name: 'Run' }).click()
  await step(page, 'Run it').getByText('ZeroDivisionError').waitFor()
  expect([...marks.done]).toEqual([])
  files.contents.set('course/blink.py', 'print("blink")')
  await step(page, 'Run it').getByRole('button', { name: 'Run' }).click()
  await step(page, 'Run it').getByText('blink', { exact: true }).waitFor()
  await step(page, 'Run it').getByRole('img', { name: 'Done' }).waitFor()
  await expect.poll(() => [...marks.done], soon).toEqual(['a.md#go'])
})

test('[W-582] a step opens a panel beside the course, with a file or an address', async () => {
  const { visit, page, marks } = await open({
    'course/a.md': `::open[Plot]{panel="script-runner" file="plot.py"}

::open[Site]{panel="webview" url="https://example.com/"}

::open[Files]{panel="files"}`,
  })
  await using _ = visit
  for (const name of ['Plot', 'Site', 'Files'])
    await step(page, name).getByRole('button', { name: 'Open' }).click()
  expect(await page.evaluate(() => bench.opened)).toEqual([
    { kind: 'script-runner', path: 'course/plot.py' },
    { kind: 'webview', url: 'https://example.com/' },
    { kind: 'files' },
  ])
  await expect.poll(() => [...marks.done], soon).toEqual(['a.md#1', 'a.md#2', 'a.md#3'])
})

test('[W-583] checks look at what a file prints, what it holds, and what a person answers', async () => {
  const { visit, page, files, marks } = await open(
    {
      'course/a.md': `::check[Prints ready]{#prints file="a.js" prints="ready"}

::check[Notes name the pin]{#holds file="/notes.md" contains="GPIO 25"}

::check[How many?]{#answer answer="2,5 V|2.5"}`,
      'course/a.js': 'console.log("not yet")',
    },
    { alsoTolerated: /404/ },
  )
  await using _ = visit
  const finish = page.getByRole('button', { name: 'Finish lesson' })
  await page.getByText('3 checks are left.').waitFor()
  expect(await finish.isDisabled()).toBe(true)
  const check = (name: string) => step(page, name).getByRole('button', { name: 'Check' }).click()
  await expect.poll(() => step(page, 'Prints ready').getByRole('button').isEnabled(), soon).toBe(true)
  await check('Prints ready')
  await step(page, 'Prints ready').getByText('No line with “ready”').waitFor()
  files.contents.set('course/a.js', 'console.log("all ready")')
  await check('Prints ready')
  await step(page, 'Prints ready').getByRole('img', { name: 'Done' }).waitFor()
  await check('Notes name the pin')
  await page.getByText('There is no notes.md yet.').waitFor()
  files.contents.set('notes.md', 'LED on GPIO 25')
  await check('Notes name the pin')
  await step(page, 'Notes name the pin').getByRole('img', { name: 'Done' }).waitFor()
  await page.getByLabel('Your answer').fill('3')
  await check('How many?')
  await page.getByText('Not yet. Try again.').waitFor()
  await page.getByLabel('Your answer').fill(' 2,5 v ')
  await page.keyboard.press('Enter')
  await step(page, 'How many?').getByRole('img', { name: 'Done' }).waitFor()
  await finish.click()
  await page.getByText('You have finished this course').waitFor()
  await expect
    .poll(() => [...marks.done].toSorted(), soon)
    .toEqual(['a.md', 'a.md#answer', 'a.md#holds', 'a.md#prints'])
  await page.getByRole('button', { name: 'Mark as not done' }).click()
  await expect.poll(() => marks.done.has('a.md'), soon).toBe(false)
})

test.each([
  ['::jump[x]{}', 'There is no step “jump”'],
  ['::run[x]{}', 'needs a file'],
  ['::run[x]{file="a.txt"}', 'neither JavaScript'],
  ['::run[x]{file="../../a.py"}', 'does not lead to a file'],
  ['::open[x]{panel="constructor"}', 'not a panel'],
  ['::open[x]{panel="webview" url="javascript:1"}', 'not an http or https address'],
  ['::check[x]{file="a.py"}', 'one of prints, contains and answer'],
  ['::check{answer="1"}', 'in brackets'],
  ['::check[x]{#a answer="1"}\n\n::check[y]{#a answer="1"}', 'have the id a'],
])('[W-584] an author is told what is wrong with %s', async (text, told) => {
  const { visit, page } = await open({ 'course/a.md': text })
  await using _ = visit
  await expect.poll(() => page.getByText(told).count(), soon).toBe(1)
})

test('[W-585] the empty panel adds the sample course, and shows it', async () => {
  const written = new Map<string, string>()
  await using visit = await panels.show(
    { kind: 'curriculum' },
    {
      prepare(site) {
        const files = answerFiles(site, {})
        answerProgress(site, [])
        site.answer(/\/files\/content$/, (request, response) => {
          const path = new URL(request.url ?? '/', site.url).searchParams.get('path') ?? ''
          if (request.method === 'GET') {
            response.writeHead(200, { 'content-type': 'application/octet-stream' })
            response.end(files.contents.get(path))
            return
          }
          const parts: Buffer[] = []
          request.on('data', (part: Buffer) => parts.push(part))
          request.on('end', () => {
            const text = Buffer.concat(parts).toString()
            written.set(path, text)
            files.contents.set(path, text)
            response.writeHead(201, { 'content-type': 'application/json' })
            response.end(JSON.stringify({ path, revision: 1, size: text.length, sha256: '', mediaType: '' }))
          })
        })
      },
    },
  )
  const { page } = visit
  await page.getByRole('button', { name: 'Add the sample course' }).click()
  await expect.poll(() => title(page).innerText(), soon).toBe('Blink')
  expect(await visit.stored()).toEqual([{ folder: 'courses/from-blink-to-plot' }])
  expect([...written.keys()].filter((path) => path.endsWith('.md'))).toHaveLength(6)
  await page.getByText('0 of 6 done').waitFor()
})

test('[W-586] every step of the sample course works, in order, to its end', async () => {
  const answers: Record<string, string> = {
    'How many times does the light go on?': '3',
    'How many ohms is that?': '130',
    'Which resistor does it take, in ohms?': '150 ohms',
    'What does the pin read while the button is pressed?': '0',
    'How many presses were there?': 'one',
  }
  const { visit, page, marks } = await open(await sampleFiles())
  await using _ = visit
  for (let number = 1; number <= 6; number += 1) {
    await page.getByText(`${number - 1} of 6 done`).waitFor()
    expect(await page.getByText('This step does not work').count()).toBe(0)
    const steps = page.getByRole('article').getByRole('group')
    await steps.first().waitFor()
    for (const one of await steps.all()) {
      const name = (await one.getAttribute('aria-label')) ?? ''
      const answer = answers[name]
      if (answer !== undefined) await one.getByLabel('Your answer').fill(answer)
      const button = one.getByRole('button').first()
      await expect.poll(() => button.isEnabled(), soon).toBe(true)
      await button.click()
      await one.getByRole('img', { name: 'Done' }).waitFor()
    }
    await page.getByRole('button', { name: number === 6 ? 'Finish lesson' : 'Finish and go on' }).click()
  }
  await page.getByText('You have finished this course').waitFor()
  await page.getByText('6 of 6 done').waitFor()
  expect([...marks.done].filter((mark) => !mark.includes('#'))).toHaveLength(6)
}, 120_000)

test('[W-587] what others change in the course appears, and the place in it stays', async () => {
  const { visit, page, files } = await open({
    'course/a.md': lesson('title: One\norder: 1', 'old'),
    'course/b.md': lesson('title: Two\norder: 2', 'two'),
  })
  await using _ = visit
  await page.getByText('old').waitFor()
  files.contents.set('course/a.md', lesson('title: One\norder: 1', 'new'))
  await page.evaluate(() => bench.tell('files'))
  await page.getByText('new', { exact: true }).waitFor()
  expect(await title(page).innerText()).toBe('One')
})

test('[W-588] whoever may only look takes the course, and chooses none', async () => {
  const { visit, page, marks } = await open({ 'course/a.md': '::check[x]{answer="1"}' }, { mayChange: false })
  await using _ = visit
  await page.getByLabel('Your answer').fill('1')
  await page.keyboard.press('Enter')
  await expect.poll(() => [...marks.done], soon).toEqual(['a.md#1'])
  expect(await page.getByRole('button', { name: 'Choose a course folder' }).count()).toBe(0)
  expect(await visit.stored()).toEqual([])
})

test('[W-589] the lesson of the guide works as it is written there', async () => {
  const guide = await readFile(GUIDE, 'utf8')
  const blocks = [...guide.matchAll(/<!-- file: (\S+) -->\n+(`{3,})\w*\n([\s\S]*?)\n\2\n/g)]
  expect(blocks.map(([, path]) => path)).toEqual(['course/01-hello.md', 'course/hello.py'])
  const contents = Object.fromEntries(blocks.map(([, path, , text]) => [path ?? '', `${text}\n`]))
  const { visit, page, marks } = await open(contents)
  await using _ = visit
  await expect.poll(() => title(page).innerText(), soon).toBe('Say hello')
  expect(await page.getByText('This step does not work').count()).toBe(0)
  for (const name of ['Run hello.py', 'It greets the board']) {
    const button = step(page, name).getByRole('button').first()
    await expect.poll(() => button.isEnabled(), soon).toBe(true)
    await button.click()
    await step(page, name).getByRole('img', { name: 'Done' }).waitFor()
  }
  await page.getByLabel('Your answer').fill('1')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Finish lesson' }).click()
  await expect.poll(() => marks.done.has('01-hello.md'), soon).toBe(true)
})

deepTest(
  '[W-317][W-318] nothing is wrong with a lesson, wide or narrow',
  async () => {
    for (const look of [
      { colorScheme: 'light' as const },
      { colorScheme: 'dark' as const, viewport: NARROW },
    ]) {
      const { visit, page } = await open(await sampleFiles(), { ...look, reducedMotion: 'reduce' })
      await using _ = visit
      await step(page, /Run it/).waitFor()
      expect(await complaints(page, { within: '#root', hasFrames: false })).toEqual([])
      expect(await page.evaluate(overflowing)).toEqual([])
    }
  },
  60_000,
)
