import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import tesseract from 'tesseract.js'
import type { ReadLine } from './heading.ts'
import type { ReadReply, ReadRequest } from './reading.ts'

/** What one picture may hold; a page of noise has thousands. */
const MOST_LINES = 400

// A thread of ours around the library's: it does not listen for the end of its own, which would then end the viewer; and
// the tree of every letter that it answers with is taken apart here, not where requests are answered.
const data = join(
  dirname(fileURLToPath(import.meta.resolve('@tesseract.js-data/eng/package.json'))),
  '4.0.0_best_int',
)

// Remarks of the engine, which nobody reads and which would pile up.
process.stdout.write = () => true
process.stderr.write = () => true

const engine = await tesseract.createWorker('eng', tesseract.OEM.LSTM_ONLY, {
  langPath: data,
  gzip: true,
  // Neither fetched from anywhere nor written into the folder in which the viewer happens to run.
  cacheMethod: 'none',
  // No handler of errors: without one they end this thread, and with one a start that failed is waited for in vain.
})
await engine.setParameters({
  // Interfaces are text here and there, not a page of paragraphs.
  tessedit_pageseg_mode: tesseract.PSM.SPARSE_TEXT,
  user_defined_dpi: '150',
})

parentPort?.on('message', (request: ReadRequest) => {
  read(request).then(
    (lines) => answer({ lines }),
    () => answer({ failed: true }),
  )
})

function answer(reply: ReadReply): void {
  parentPort?.postMessage(reply, [])
}

async function read({ image, width, height }: ReadRequest): Promise<ReadLine[]> {
  const { data: page } = await engine.recognize(Buffer.from(image.buffer), {}, { blocks: true, text: false })
  return (page.blocks ?? [])
    .flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))
    .slice(0, MOST_LINES)
    .map(({ bbox, words }) => ({
      top: bbox.y0 / height,
      words: words.map((word) => ({
        text: word.text,
        confidence: word.confidence,
        height: word.bbox.y1 - word.bbox.y0,
        isAtEdge:
          word.bbox.x0 <= 1 || word.bbox.y0 <= 1 || word.bbox.x1 >= width - 1 || word.bbox.y1 >= height - 1,
      })),
    }))
}
