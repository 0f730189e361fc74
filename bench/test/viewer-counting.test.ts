import type { Paste } from '@patchbay/contracts/viewer'
import { expect, test } from 'vitest'
import { requireWhole } from '../src/viewer/pastes.ts'

test('[BN-41] a paste without both files, or with another size than asked for, is no paste', () => {
  const paste = (file: string, width = 1568) =>
    ({
      optimized: { file: `${file}.png`, width, height: 882 },
      original: { file: `${file}-original.png`, width: 3840, height: 2160 },
    }) as Paste
  expect(() => requireWhole([paste('a'), paste('b')])).not.toThrow()
  expect(() => requireWhole([paste('a'), paste('a')])).toThrow(/2 pastes gave 2 files/)
  expect(() => requireWhole([paste('a', 1600)])).toThrow(/1600/)
})
