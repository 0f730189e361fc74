import { createPackageValidator } from '@patchbay/package-format/validate'
import { expect, test } from 'vitest'
import {
  identifierOf,
  ownerOf,
  PACKAGES_PER_OWNER,
  syntheticPackage,
} from '../src/registry/synthetic-package.ts'

test('[BN-23] made-up packages are valid, have three versions, and are the same in every run', () => {
  const isPackage = createPackageValidator()
  const packages = Array.from({ length: 300 }, (_, number) => syntheticPackage(number))
  expect(packages.filter((each) => !isPackage(each))).toEqual([])
  expect(new Set(packages.map(({ identifier }) => identifier)).size).toBe(300)
  expect(packages.every(({ versions }) => versions.length === 3)).toBe(true)
  expect(syntheticPackage(123_456)).toEqual(syntheticPackage(123_456))
  expect(syntheticPackage(1).description_full).not.toBe(syntheticPackage(2).description_full)
})

test('[BN-23] every owner has as many packages, however many there are', () => {
  expect(ownerOf(0)).toBe(ownerOf(PACKAGES_PER_OWNER - 1))
  expect(ownerOf(PACKAGES_PER_OWNER)).not.toBe(ownerOf(0))
  expect(identifierOf(99_999)).toBe('com.example.maker999.package99999')
})
