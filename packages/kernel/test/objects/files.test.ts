import { describe } from 'vitest'
import { objectStoreContract } from './contract.ts'
import { fileStores } from './open-files.ts'

describe('objects in files', () => {
  objectStoreContract(fileStores)
})
