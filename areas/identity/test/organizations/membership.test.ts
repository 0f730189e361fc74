import { MEMBER_ROLES } from '@patchbay/contracts/identity'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type MemberChange, refusalOf } from '../../src/organizations/membership.ts'

const allowed: MemberChange = {
  askingRole: 'owner',
  isAboutOneself: false,
  personExists: true,
  formerRole: undefined,
  role: 'member',
  otherOwners: 1,
  members: 1,
  organizationsOfPerson: 0,
  organizationsOwnedByPerson: 0,
}
const refusal = (change: Partial<MemberChange>) => refusalOf({ ...allowed, ...change })

test('[C-224] owners add and change; members may not, strangers find nothing', () => {
  expect(refusal({})).toBeUndefined()
  expect(refusal({ askingRole: 'maintainer' })).toBe('not_permitted')
  expect(refusal({ askingRole: 'member', personExists: false })).toBe('not_permitted')
  expect(refusal({ askingRole: undefined })).toBe('not_found')
  expect(refusal({ personExists: false })).toBe('not_found')
  expect(
    refusal({ askingRole: 'maintainer', isAboutOneself: true, formerRole: 'maintainer', role: 'owner' }),
  ).toBe('not_permitted')
})

test('[C-228] room is needed by whoever joins, not by whoever changes their role', () => {
  expect(refusal({ members: 499 })).toBeUndefined()
  expect(refusal({ members: 500 })).toBe('limit_reached')
  expect(refusal({ members: 500, formerRole: 'member', role: 'maintainer' })).toBeUndefined()
  expect(refusal({ organizationsOfPerson: 199 })).toBeUndefined()
  expect(refusal({ organizationsOfPerson: 200 })).toBe('limit_reached')
  expect(refusal({ organizationsOfPerson: 200, formerRole: 'owner', role: 'member' })).toBeUndefined()
})

test('[C-222] nobody is made an owner of more than 20', () => {
  expect(refusal({ role: 'owner', organizationsOwnedByPerson: 19 })).toBeUndefined()
  expect(refusal({ role: 'owner', organizationsOwnedByPerson: 20 })).toBe('limit_reached')
  expect(refusal({ role: 'owner', formerRole: 'member', organizationsOwnedByPerson: 20 })).toBe(
    'limit_reached',
  )
  expect(refusal({ role: 'owner', formerRole: 'owner', organizationsOwnedByPerson: 20 })).toBeUndefined()
})

const role = fc.option(fc.constantFrom(...MEMBER_ROLES), { nil: undefined })
const anyChange = fc.record({
  askingRole: role,
  isAboutOneself: fc.boolean(),
  personExists: fc.boolean(),
  formerRole: role,
  role,
  otherOwners: fc.nat({ max: 2 }),
  members: fc.constantFrom(1, 499, 500),
  organizationsOfPerson: fc.constantFrom(0, 199, 200),
  organizationsOwnedByPerson: fc.constantFrom(0, 19, 20),
})

test('[C-226] no change that is let through leaves an organization without an owner', () => {
  fc.assert(
    fc.property(anyChange, (change) => {
      fc.pre(refusalOf(change) === undefined && change.formerRole === 'owner')
      expect(change.otherOwners + (change.role === 'owner' ? 1 : 0)).toBeGreaterThan(0)
    }),
    { numRuns: 500 },
  )
})

test('[C-225] only an owner, or the person themselves by leaving, changes anything', () => {
  fc.assert(
    fc.property(anyChange, (change) => {
      fc.pre(refusalOf(change) === undefined)
      expect(change.askingRole === 'owner' || (change.isAboutOneself && change.role === undefined)).toBe(true)
    }),
    { numRuns: 500 },
  )
})
