import { describe, expect, test } from 'vitest'
import { findBackArrows, findCycles, readImports } from './importGraph.mjs'
import { reactCoreRooms, reactHookRooms } from './importRules.mjs'

describe('no import cycles, types and lazy imports included', () => {
  test.each([
    'packages/protocol/src',
    'packages/react/src',
    'packages/moralis/src',
    'packages/server/src',
    'apps/web/src',
  ])('%s', (folder) => {
    const imports = readImports(folder)
    expect(imports.size).toBeGreaterThan(20)
    expect(findCycles(imports)).toEqual([])
  })
})

describe('rooms of the React core and its hooks see only those before them', () => {
  test.each([
    ['core', reactCoreRooms],
    ['hooks', reactHookRooms],
  ])('%s', (layer, rooms) => {
    const imports = readImports('packages/react/src')
    const places = rooms.map((room) => `${layer}/${room}`)
    expect([...imports.keys()].filter((file) => file.startsWith(places[0] ?? '')).length).toBeGreaterThan(0)
    expect(findBackArrows(imports, places)).toEqual([])
  })
})

describe('planted faults', () => {
  test('a circle of three is found, and what only leads into it is not part of it', () => {
    const imports = new Map([
      ['a.ts', ['b.ts']],
      ['b.ts', ['c.ts']],
      ['c.ts', ['a.ts']],
      ['d.ts', ['a.ts']],
      ['e.ts', []],
    ])
    expect(findCycles(imports)).toEqual([['a.ts', 'b.ts', 'c.ts']])
    expect(findCycles(new Map([['a.ts', ['a.ts']]]))).toEqual([['a.ts']])
  })

  test('two circles that share nothing are two', () => {
    const imports = new Map([
      ['a.ts', ['b.ts']],
      ['b.ts', ['a.ts', 'c.ts']],
      ['c.ts', ['d.ts']],
      ['d.ts', ['c.ts']],
    ])
    expect(findCycles(imports).sort()).toEqual([
      ['a.ts', 'b.ts'],
      ['c.ts', 'd.ts'],
    ])
  })

  test('an import of a later room is found, from a folder of the room as well', () => {
    const imports = new Map([
      ['first/deep/a.ts', ['second/b.ts']],
      ['second/b.ts', ['first/c.ts']],
      ['first/c.ts', []],
    ])
    expect(findBackArrows(imports, ['first', 'second'])).toEqual(['first/deep/a.ts -> second/b.ts'])
  })

  test('every form of an import is read', () => {
    const imports = readImports('packages/react/src')
    const type = imports.get('core/account/inputs.ts')
    const later = imports.get('core/account/accountAction.ts')
    expect(type).toContain('core/session/ProviderInput.ts')
    expect(later).toContain('core/account/bodies/accountBodies.ts')
    expect(imports.get('core.ts')).toContain('core/account/account.ts')
  })
})
