import { systemSurroundings } from '../../src/surroundings.ts'
import { prepareWrite } from '../../src/tokens/token-file.ts'

// Writes one long record after the other until it is killed.
const [path = '', round = ''] = process.argv.slice(2)
for (let count = 0; ; count += 1) {
  const write = await prepareWrite(path, systemSurroundings)
  await write.commit({ accessToken: `${round}${count} `.repeat(50_000) })
  await write.close()
  if (count === 0) process.stdout.write('writing\n')
}
