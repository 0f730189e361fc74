import { MEMBER_ROLES, PANEL_SCOPE_AREAS, SCOPE_AREAS } from '@patchbay/contracts/identity'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownersOf, scopesCover, standingAllows } from '../../src/keys/permission.ts'

const areas = fc.constantFrom(...SCOPE_AREAS)
// Few names, so that they meet, and some that are each other's beginning or spelling.
const owners = fc.constantFrom('ada', 'ada-2', 'acme', 'a')
const repos = fc.constantFrom('board', 'Board', 'board2', 'b', '.', '..', 'a.b', 'axb', '-')
const parts = fc.record({ area: areas, owner: owners, repo: fc.oneof(repos, fc.constant('*')) })

test('[C-210] a scope covers its repository, or all of its owner, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 6 }), areas, owners, repos, (granted, area, owner, repo) => {
      const scopes = granted.map((one) => `${one.area}:${one.owner}/${one.repo}`)
      const expected = granted.some(
        (one) =>
          (one.area === area ||
            (one.area === 'panels' && PANEL_SCOPE_AREAS.some((part) => part === area)) ||
            (one.area === 'files:write' && area === 'files:read') ||
            (one.area === 'devices:command' && area === 'devices:read')) &&
          one.owner === owner &&
          (one.repo === '*' || one.repo === repo),
      )
      expect(scopesCover(scopes, area, owner, repo)).toBe(expected)
    }),
    { numRuns: 1_000 },
  )
})

test('[C-210] names that hold the signs of a scope do not reach into another', () => {
  expect(scopesCover(['panels:ada/board'], 'panels', 'ada/board', '')).toBe(false)
  expect(scopesCover(['panels:ada/board'], 'panels', 'ada', '*')).toBe(false)
  expect(scopesCover(['packages:ada/*'], 'panels', 'ada', 'board')).toBe(false)
  expect(scopesCover([], 'panels', 'ada', 'board')).toBe(false)
})

test('[C-215] each part of panel control has a scope of its own, and panels stands for all of them', () => {
  for (const area of PANEL_SCOPE_AREAS) {
    expect(scopesCover(['panels:ada/board'], area, 'ada', 'board')).toBe(true)
    expect(scopesCover([`${area}:ada/board`], 'panels', 'ada', 'board')).toBe(false)
    const others = PANEL_SCOPE_AREAS.filter((other) => other !== area)
    expect(others.map((other) => scopesCover([`${area}:ada/*`], other, 'ada', 'board'))).toEqual([
      false,
      false,
      false,
    ])
  }
})

test('[C-216] who may write files may read them, and a key for panels reaches none', () => {
  expect(scopesCover(['files:write:ada/board'], 'files:read', 'ada', 'board')).toBe(true)
  expect(scopesCover(['files:read:ada/*'], 'files:read', 'ada', 'board')).toBe(true)
  expect(scopesCover(['files:read:ada/*'], 'files:write', 'ada', 'board')).toBe(false)
  expect(scopesCover(['panels:ada/*'], 'files:read', 'ada', 'board')).toBe(false)
})

test('[C-217] who may command devices may read them, and a key for panels or files reaches none', () => {
  expect(scopesCover(['devices:command:ada/board'], 'devices:read', 'ada', 'board')).toBe(true)
  expect(scopesCover(['devices:read:ada/*'], 'devices:read', 'ada', 'board')).toBe(true)
  expect(scopesCover(['devices:read:ada/*'], 'devices:command', 'ada', 'board')).toBe(false)
  expect(scopesCover(['panels:ada/*', 'files:write:ada/*'], 'devices:read', 'ada', 'board')).toBe(false)
})

test('[C-211] the owners that scopes name are found, each once', () => {
  fc.assert(
    fc.property(fc.array(parts), (granted) => {
      const scopes = granted.map((one) => `${one.area}:${one.owner}/${one.repo}`)
      expect(ownersOf(scopes).toSorted()).toEqual([...new Set(granted.map(({ owner }) => owner))].toSorted())
    }),
  )
})

test('[C-212] members read, everybody above also writes, strangers do neither', () => {
  const standings = ['none', ...MEMBER_ROLES, 'self'] as const
  expect(
    standings.map((standing) => [
      standing,
      standingAllows(standing, 'read'),
      standingAllows(standing, 'write'),
    ]),
  ).toEqual([
    ['none', false, false],
    ['member', true, false],
    ['maintainer', true, true],
    ['owner', true, true],
    ['self', true, true],
  ])
})
