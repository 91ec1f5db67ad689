// Which folder may import which. Biome takes the last matching override for a rule and never merges two, so each
// room needs one complete list; written by hand those lists drift apart, here they follow from the order of the rooms.
// After a change: node scripts/directions.mjs (a test holds directions.json to what this file says).
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Left to right: a room imports only from the rooms to its left. */
export const serverRooms = [
  'config',
  'clock',
  'db',
  'classes',
  'mail',
  'context',
  'hooks',
  'users',
  'roles',
  'permissions',
  'auth',
  'queries',
  'objects',
  'files',
  'live',
  'functions',
  'jobs',
  'webhooks',
  'chain',
  'http',
  'cli',
  'testing',
]

/** Rooms that see less than their place in the row would allow. */
const serverNarrowRooms = { chain: ['config', 'clock', 'db', 'classes', 'context', 'roles', 'permissions'] }

export const reactRooms = ['core', 'hooks', 'components', 'moralis', 'testWallet', 'testing']
const reactNarrowRooms = { moralis: ['core', 'hooks'], testWallet: [] }

export const webRooms = ['lib', 'components', 'screens']

// Tests stand outside the row: proving a promise on the real thing takes the whole server.
const tests = '!**/*.test.*'
const everyPackage = ['countersign', 'countersign/**', '@countersign/**']
const intoOtherPackages = [`${upward(['packages', 'apps', 'e2e', 'bench', 'scripts'])}/**`]

/**
 * A relative specifier depends on how deep its file lies; five levels are more than any package has.
 *
 * @param {string[]} names
 */
function upward(names) {
  return `{${[1, 2, 3, 4, 5].map((depth) => Array(depth).fill('..').join('/')).join(',')}}/{${names.join(',')}}`
}

/**
 * @param {string[]} includes
 * @param {{ group: string[], message: string }[]} patterns
 */
function direction(includes, patterns) {
  return {
    includes,
    linter: { rules: { style: { noRestrictedImports: { level: 'error', options: { patterns } } } } },
  }
}

/**
 * @param {string} name
 * @param {string[]} forbidden
 */
function packageBorder(name, forbidden) {
  return {
    group: [...forbidden, ...intoOtherPackages],
    message: `${name} may not import this package: protocol < react < web, protocol < server; e2e, bench and scripts import none.`,
  }
}

/**
 * @param {string[]} rooms
 * @param {string} room
 * @param {Record<string, string[]>} narrow
 * @param {string[]} entries files above the rooms, which none of them may import
 */
function roomBorder(rooms, room, narrow, entries) {
  const allowed = narrow[room] ?? rooms.slice(0, rooms.indexOf(room))
  const forbidden = rooms.filter((other) => other !== room && !allowed.includes(other))
  return {
    group: [...(forbidden.length > 0 ? [`${upward(forbidden)}/**`] : []), upward(entries)],
    message: `${room} imports only from ${allowed.length > 0 ? allowed.join(', ') : 'no other room'}: imports run one way.`,
  }
}

/** Every override that keeps a direction, in the form Biome wants. */
export function createDirections() {
  const beyondServer = packageBorder('server', [
    ...everyPackage,
    '!@countersign/protocol',
    '!@countersign/protocol/contract',
  ])
  const beyondReact = packageBorder('react', [...everyPackage, '!@countersign/protocol'])
  const beyondWeb = packageBorder('web', ['countersign', 'countersign/**'])
  const noReact = {
    group: ['react', 'react/**', 'react-dom', 'react-dom/**', '**/hooks/**', '**/components/**', '**/moralis/**'],
    message: 'core runs without React and never imports it, nor what stands on it.',
  }
  const noOtherScreen = 'A screen never imports another screen; what two screens share belongs in components or lib.'

  return [
    direction(['packages/protocol/**'], [packageBorder('protocol', everyPackage)]),
    direction(
      ['packages/protocol/**', tests],
      [
        {
          group: ['**', '!./**', '!../**', ...intoOtherPackages],
          message: 'protocol imports nothing: it is loaded by browsers and servers alike.',
        },
      ],
    ),
    direction(
      ['packages/protocol/src/contract/**', tests],
      [
        {
          group: ['**', '!./**', '!../**', '!zod', ...intoOtherPackages],
          message: 'The contract imports the protocol and zod alone.',
        },
      ],
    ),
    // What browsers load must not bring zod along.
    direction(
      ['packages/protocol/src/*.ts', tests],
      [
        {
          group: ['**', '!./**', '!../**', './contract/**', ...intoOtherPackages],
          message: 'protocol imports nothing, and not its contract: it is loaded by browsers and servers alike.',
        },
      ],
    ),
    direction(['packages/server/**'], [beyondServer]),
    ...serverRooms.map((room) =>
      direction(
        [`packages/server/src/${room}/**`, tests],
        [beyondServer, roomBorder(serverRooms, room, serverNarrowRooms, ['index.ts'])],
      ),
    ),
    direction(['packages/react/**'], [beyondReact]),
    direction(['packages/react/src/core.ts'], [beyondReact, noReact]),
    ...reactRooms.map((room) =>
      direction(
        [`packages/react/src/${room}/**`, tests],
        [
          beyondReact,
          roomBorder(reactRooms, room, reactNarrowRooms, ['index.ts', 'core.ts']),
          ...(room === 'core' ? [noReact] : []),
        ],
      ),
    ),
    direction(['apps/web/**'], [beyondWeb]),
    direction(['apps/web/src/App.tsx'], [beyondWeb, { group: ['./main.tsx'], message: 'main starts App.' }]),
    ...webRooms
      .filter((room) => room !== 'screens')
      .map((room) =>
        direction(
          [`apps/web/src/${room}/**`, tests],
          [beyondWeb, roomBorder(webRooms, room, {}, ['App.tsx', 'main.tsx'])],
        ),
      ),
    direction(
      ['apps/web/src/screens/*', tests],
      [
        beyondWeb,
        { group: ['./**', '../screens/**'], message: noOtherScreen },
        {
          group: ['../App.tsx', '../main.tsx'],
          message: 'screens imports only from lib, components: imports run one way.',
        },
      ],
    ),
    direction(
      ['apps/web/src/screens/*/**', tests],
      [beyondWeb, { group: ['../**', '!../../lib/**', '!../../components/**'], message: noOtherScreen }],
    ),
    direction(
      ['e2e/**', '!e2e/apps/**', 'bench/**', 'scripts/**'],
      [
        {
          group: [...everyPackage, '!@countersign/react/testing', `${upward(['packages', 'apps'])}/**`],
          message: 'e2e, bench and scripts start processes; they import no package but the test wallet.',
        },
      ],
    ),
    direction(
      ['e2e/apps/**'],
      [
        {
          group: [`${upward(['packages', 'apps'])}/**`],
          message: 'The pages in e2e/apps import what the packages publish, as any application does.',
        },
      ],
    ),
  ]
}

/** The text of directions.json, which biome.json extends: one override a line. */
export function renderDirections() {
  const lines = createDirections().map((override) => `    ${JSON.stringify(override)}`)
  return `{\n  "overrides": [\n${lines.join(',\n')}\n  ]\n}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('directions.json', import.meta.url), renderDirections())
}
